#!/bin/sh
# A stdio server that starts in a millisecond and knows no more than how a conversation begins, in both
# eras, for the cost of connecting many servers. Each start is noted as a line in the file $1, if there is one.
[ -n "$1" ] && echo start >> "$1"
about='"capabilities":{"tools":{}}'
info='{"name":"bench","version":"1.0.0"}'
while read -r line; do
  case $line in
    *'"initialize"'*)
      result="{\"protocolVersion\":\"2025-11-25\",$about,\"serverInfo\":$info}"
      ;;
    *'"server/discover"'*)
      result="{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],$about,\"ttlMs\":600000,\"cacheScope\":\"public\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":$info}}"
      ;;
    *)
      continue
      ;;
  esac
  id=${line#*\"id\":}
  id=${id%%[,\}]*}
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
