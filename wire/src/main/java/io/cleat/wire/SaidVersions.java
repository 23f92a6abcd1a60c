package io.cleat.wire;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener;
import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.OptionalInt;

/** Which versions each side speaks, said in the headers of a stream before any message. */
final class SaidVersions {
    private static final Metadata.Key<String> KEY =
            Metadata.Key.of(WireVersions.HEADER, Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Integer> AGREED = Context.key(WireVersions.HEADER);

    private SaidVersions() {}

    /** What the other side says; a program that says nothing, or what is none, is an old one. */
    private static WireVersions of(Metadata headers) {
        return Optional.ofNullable(headers.get(KEY)).flatMap(WireVersions::read).orElse(WireVersions.UNSAID);
    }

    private static Status tooFarApart(WireVersions server, WireVersions node) {
        return Status.FAILED_PRECONDITION.withDescription("the server speaks "
                + server.words()
                + " of the node protocol and the node "
                + node.words()
                + ": run releases on both that are nearer to each other");
    }

    /** On the server, while a stream is opened: the version that both speak. */
    static int agreedHere() {
        return AGREED.get();
    }

    /** Says those of the node, and takes those of the server. */
    record ByNode(WireVersions ours, GrpcLink<ToServer, ToNode> link) implements ClientInterceptor {
        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            ClientCall<Q, R> call = next.newCall(method, options);
            return new ForwardingClientCall.SimpleForwardingClientCall<>(call) {
                @Override
                public void start(Listener<R> answers, Metadata headers) {
                    headers.put(KEY, ours.text());
                    super.start(
                            new ForwardingClientCallListener.SimpleForwardingClientCallListener<>(answers) {
                                @Override
                                public void onHeaders(Metadata said) {
                                    heard(said, call);
                                    super.onHeaders(said);
                                }
                            },
                            headers);
                }
            };
        }

        private void heard(Metadata said, ClientCall<?, ?> call) {
            WireVersions server = of(said);
            OptionalInt common = ours.common(server);
            if (common.isPresent()) {
                link.agree(common.getAsInt());
            } else {
                call.cancel(tooFarApart(server, ours).getDescription(), null);
            }
        }
    }

    /** Takes those of the node, and says those of the server. */
    record ByServer(WireVersions ours) implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata said, ServerCallHandler<Q, R> next) {
            WireVersions node = of(said);
            OptionalInt common = ours.common(node);
            if (common.isEmpty()) {
                call.close(tooFarApart(ours, node), new Metadata());
                return new ServerCall.Listener<>() {};
            }
            ServerCall<Q, R> saying = new ForwardingServerCall.SimpleForwardingServerCall<>(call) {
                @Override
                public void sendHeaders(Metadata headers) {
                    headers.put(KEY, ours.text());
                    super.sendHeaders(headers);
                }
            };
            return Contexts.interceptCall(Context.current().withValue(AGREED, common.getAsInt()), saying, said, next);
        }
    }
}
