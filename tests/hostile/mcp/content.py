"""Offers resources and prompts, some of them odd."""

import sys

import wire

mode = sys.argv[1] if len(sys.argv) > 1 else "plain"


def resources(request):
    if mode == "entries":
        listed = [{"uri": f"n://{index}", "name": "n"} for index in range(257)]
    elif mode == "nameless":
        listed = [{"name": "no uri"}]
    else:
        listed = [{"uri": "notes://a", "name": "A"}, {"uri": "file:///secret", "name": "B"}]
    wire.answer(request, {"resources": listed})


def templates(request):
    wire.answer(request, {"resourceTemplates": [{"uriTemplate": "notes://{id}/text", "name": "T"}]})


def prompts(request):
    wire.answer(request, {"prompts": [{"name": "greet", "arguments": [{"name": "who", "required": True}]}]})


def read(request):
    uri = request["params"]["uri"]
    wire.answer(request, {"contents": [{"uri": uri, "mimeType": "text/plain", "text": "note " + uri}]})


def get(request):
    who = request["params"]["arguments"]["who"]
    wire.answer(
        request,
        {"description": "D", "messages": [{"role": "user", "content": {"type": "text", "text": "hello " + who}}]},
    )


capabilities = {"tools": {}} if mode == "unsupported" else {"tools": {}, "resources": {}, "prompts": {}}
handlers = {"resources/list": resources, "prompts/list": prompts, "resources/read": read, "prompts/get": get}
if mode != "no-templates":
    handlers["resources/templates/list"] = templates
wire.serve(handlers, capabilities)
