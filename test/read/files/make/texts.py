"""The texts as rows in JSON."""
import json

from topics import texts

print(json.dumps(texts(), ensure_ascii=False))
