// A driver plugin over the real go-plugin, for tests: it runs commands of the machine, and is as bad as it is told to
// be. Its messages are those of the file that -schema names, written by whoever tests.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

var (
	schema = flag.String("schema", "", "a file with a FileDescriptorSet")
	cookie = flag.String("cookie", "e4327c2e01eabfd75a8a67adb114fb34a757d57eee7728d857a8cec6e91a7255", "what is expected")
	name   = flag.String("name", "fixture", "the driver's name")
	kind   = flag.String("kind", "DRIVER", "the plugin's type")
	noise  = flag.String("noise", "", "a first line of output that is none")
	silent = flag.Bool("silent", false, "say nothing, for ever")
	dies   = flag.String("dies", "", "the call in which it ends; only if the file of -once is there, which it removes")
	once   = flag.String("once", "", "see -dies")
	hangs  = flag.String("hangs", "", "the call that is never answered")
	runs   = flag.String("runs", "", "a program: run that plugin instead of being one")
	joins  = flag.Bool("networks", false, "tasks join networks, and it makes them itself")
	record = flag.String("record", "", "a file to which each call of SetConfig is appended, as JSON")
)

type message = map[string]any

// A call: its request, where more of it comes from, where answers go.
type call struct {
	ctx     context.Context
	request message
	next    func() (message, error)
	answer  func(message) error
}

type handler func(*call) error

// services serves what handlers know of the services of the schema; the rest is unimplemented.
type services struct {
	plugin.NetRPCUnsupportedPlugin
	files    *protoregistry.Files
	handlers map[string]handler
	names    []string
}

func (s *services) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	for _, each := range s.names {
		found, err := s.files.FindDescriptorByName(protoreflect.FullName(each))
		if err != nil {
			return err
		}
		service := found.(protoreflect.ServiceDescriptor)
		desc := &grpc.ServiceDesc{ServiceName: each, HandlerType: (*any)(nil)}
		for i := 0; i < service.Methods().Len(); i++ {
			method := service.Methods().Get(i)
			desc.Streams = append(desc.Streams, grpc.StreamDesc{
				StreamName:    string(method.Name()),
				ServerStreams: true,
				ClientStreams: true,
				Handler:       s.stream(method),
			})
		}
		server.RegisterService(desc, s)
	}
	return nil
}

func (s *services) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, nil
}

func (s *services) stream(method protoreflect.MethodDescriptor) grpc.StreamHandler {
	return func(_ any, stream grpc.ServerStream) error {
		next := func() (message, error) {
			raw := dynamicpb.NewMessage(method.Input())
			if err := stream.RecvMsg(raw); err != nil {
				return nil, err
			}
			return toMap(raw)
		}
		request, err := next()
		if err != nil && err != io.EOF {
			return err
		}
		bad(string(method.Name()))
		handle, ok := s.handlers[string(method.Name())]
		if !ok {
			return fmt.Errorf("the fixture does not know %s", method.Name())
		}
		return handle(&call{
			ctx:     stream.Context(),
			request: request,
			next:    next,
			answer: func(m message) error {
				raw := dynamicpb.NewMessage(method.Output())
				if err := fromMap(m, raw); err != nil {
					return err
				}
				return stream.SendMsg(raw)
			},
		})
	}
}

func bad(method string) {
	if *hangs == method {
		select {}
	}
	if *dies == method && os.Remove(*once) == nil {
		os.Exit(3)
	}
}

func toMap(raw proto.Message) (message, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(raw)
	if err != nil {
		return nil, err
	}
	m := message{}
	return m, json.Unmarshal(text, &m)
}

func fromMap(m message, raw proto.Message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return protojson.Unmarshal(text, raw)
}

func read(file string) (*protoregistry.Files, error) {
	bytes, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(bytes, set); err != nil {
		return nil, err
	}
	return protodesc.NewFiles(set)
}

func main() {
	flag.Parse()
	if *silent {
		time.Sleep(time.Hour)
	}
	if *noise != "" {
		fmt.Println(*noise)
	}
	files, err := read(*schema)
	if err != nil {
		fmt.Fprintln(os.Stderr, "the schema cannot be read:", err)
		os.Exit(2)
	}
	if *runs != "" {
		if err := host(files, *runs); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	driver := newDriver()
	both := &services{
		files:    files,
		handlers: driver.handlers(),
		names:    strings.Fields("hashicorp.nomad.plugins.base.proto.BasePlugin hashicorp.nomad.plugins.drivers.proto.Driver"),
	}
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion:  2,
			MagicCookieKey:   "NOMAD_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: *cookie,
		},
		Plugins:    map[string]plugin.Plugin{"driver": both},
		GRPCServer: plugin.DefaultGRPCServer,
	})
}
