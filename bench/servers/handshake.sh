#!/bin/sh
# A stdio server that starts in a millisecond and knows no more than the handshake, for the cost of
# connecting many servers.
while read -r line; do
  case $line in
    *'"initialize"'*)
      id=${line#*\"id\":}
      id=${id%%[,\}]*}
      printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1.0.0"}}}\n' "$id"
      ;;
  esac
done
