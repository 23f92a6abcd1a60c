package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// The other side: runs a plugin by the real go-plugin, as an agent of Nomad does, and prints what the plugin says it is.

type asking struct {
	plugin.NetRPCUnsupportedPlugin
	files *protoregistry.Files
}

func (a *asking) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }

func (a *asking) GRPCClient(ctx context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	found, err := a.files.FindDescriptorByName("hashicorp.nomad.plugins.base.proto.BasePlugin")
	if err != nil {
		return nil, err
	}
	method := found.(protoreflect.ServiceDescriptor).Methods().ByName("PluginInfo")
	answer := dynamicpb.NewMessage(method.Output())
	path := "/hashicorp.nomad.plugins.base.proto.BasePlugin/PluginInfo"
	if err := conn.Invoke(ctx, path, dynamicpb.NewMessage(method.Input()), answer); err != nil {
		return nil, err
	}
	return toMap(answer)
}

func host(files *protoregistry.Files, program string) error {
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion:  2,
			MagicCookieKey:   "NOMAD_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: *cookie,
		},
		Plugins:          map[string]plugin.Plugin{"driver": &asking{files: files}},
		Cmd:              exec.Command(program),
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Stderr:           os.Stderr,
	})
	defer client.Kill()
	protocol, err := client.Client()
	if err != nil {
		return err
	}
	if err := protocol.Ping(); err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	said, err := protocol.Dispense("driver")
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(said)
}
