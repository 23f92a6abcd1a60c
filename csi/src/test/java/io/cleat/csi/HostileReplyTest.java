package io.cleat.csi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever stands in a reply, the caller gets a value or trouble of the plugin, in a few words. */
final class HostileReplyTest {
    private static final int REPLIES = 200;
    private static final int FEW_WORDS = 4_000;
    private static final int DEPTH = 4;

    /** A call of each client. */
    private interface Call {
        Object make(PluginChannel channel) throws CsiTrouble, InterruptedException;
    }

    private static List<Call> calls() {
        List<Call> calls = new ArrayList<>(List.of(
                c -> c.identity().info(PluginRig.minute()),
                c -> c.identity().capabilities(PluginRig.minute()),
                c -> c.identity().isReady(PluginRig.minute()),
                c -> c.node().info(PluginRig.minute()),
                c -> c.node().capabilities(PluginRig.minute()),
                c -> c.controller().capabilities(PluginRig.minute()),
                HostileReplyTest::create,
                HostileReplyTest::stage));
        OptionalCalls.all().forEach(call -> calls.add(call::make));
        return calls;
    }

    private static Object create(PluginChannel channel) throws CsiTrouble, InterruptedException {
        VolumeOrder order = new VolumeOrder(
                "v2",
                new CapacityRange(2 << 20, 4 << 20),
                List.of(PluginRig.USE),
                Map.of(),
                Secrets.none(),
                List.of(),
                List.of(),
                ContentSource.EMPTY,
                Map.of());
        return channel.controller().create(order, PluginRig.minute());
    }

    private static Object stage(PluginChannel channel) throws CsiTrouble, InterruptedException {
        channel.node().stage(PluginRig.staging(), PluginRig.minute());
        return "staged";
    }

    /** nomad#15478: what one plugin said brought the leader and all clients down. */
    @Test
    void nomad15478WhateverAPluginAnswers_endsInAValueOrInTroubleOfThePlugin() throws Exception {
        int refused = 0;
        List<Call> calls = calls();
        for (int i = 0; i < calls.size(); i++) {
            for (int seed = 0; seed < REPLIES; seed++) {
                try (PluginChannel channel = channel(new Random(seed))) {
                    calls.get(i).make(channel);
                } catch (CsiTrouble trouble) {
                    refused++;
                    assertTrue(
                            trouble.reason().length() < FEW_WORDS,
                            "call " + i + ", seed " + seed + ": " + trouble.reason());
                } catch (RuntimeException fault) {
                    throw new AssertionError("call " + i + ", seed " + seed, fault);
                }
            }
        }
        assertTrue(refused > REPLIES, "only " + refused + " were bad enough to be refused");
    }

    private static PluginChannel channel(Random random) {
        return PluginChannel.over(
                new Hostile(random), "fake", PluginRig.POLICY, new SystemTime(), bound -> 0, CallObserver.NONE);
    }

    /** Answers each call with a message of the right type and anything in it. */
    private record Hostile(Random random) implements Transport {
        @Override
        public <Q extends Message, R extends Message> Answer<R> exchange(
                MethodDescriptor<Q, R> method, Q request, Duration limit) {
            return new Reply<>(reply(method));
        }

        @Override
        public <Q extends Message, R extends Message> Answer<Boolean> stream(
                MethodDescriptor<Q, R> method, Q request, Duration limit, Taker<R> taker)
                throws BadReply, InterruptedException {
            for (int i = random.nextInt(4); i > 0; i--) {
                if (!taker.take(reply(method))) {
                    return new Reply<>(false);
                }
            }
            return new Reply<>(true);
        }

        // The prototype is of the method's own type of reply, and so is what is built from it.
        @SuppressWarnings("unchecked")
        private <R extends Message> R reply(MethodDescriptor<?, R> method) {
            var marshaller = (MethodDescriptor.PrototypeMarshaller<R>) method.getResponseMarshaller();
            R prototype = Objects.requireNonNull(marshaller.getMessagePrototype());
            return (R) filled(prototype.newBuilderForType(), DEPTH);
        }

        private Message filled(Message.Builder into, int depth) {
            for (FieldDescriptor field : into.getDescriptorForType().getFields()) {
                if (random.nextInt(4) == 0) {
                    continue;
                }
                if (!field.isRepeated()) {
                    value(into, field, depth).forEach(value -> into.setField(field, value));
                } else {
                    for (int i = random.nextInt(4); i > 0; i--) {
                        value(into, field, depth).forEach(value -> into.addRepeatedField(field, value));
                    }
                }
            }
            return into.build();
        }

        private Stream<Object> value(Message.Builder of, FieldDescriptor field, int depth) {
            return switch (field.getJavaType()) {
                case INT -> Stream.of(random.nextBoolean() ? random.nextInt() : -1);
                case LONG -> Stream.of(number());
                case BOOLEAN -> Stream.of(random.nextBoolean());
                case FLOAT -> Stream.of(random.nextFloat());
                case DOUBLE -> Stream.of(random.nextDouble());
                case STRING -> Stream.of(text());
                case BYTE_STRING -> Stream.of(ByteString.copyFromUtf8(text()));
                case ENUM -> Stream.of(constant(field.getEnumType()));
                case MESSAGE ->
                    depth == 0 ? Stream.empty() : Stream.of(filled(of.newBuilderForField(field), depth - 1));
            };
        }

        private long number() {
            return switch (random.nextInt(5)) {
                case 0 -> Long.MIN_VALUE;
                case 1 -> Long.MAX_VALUE;
                case 2 -> 0L;
                case 3 -> 2L << 20;
                default -> random.nextLong();
            };
        }

        private String text() {
            return switch (random.nextInt(6)) {
                case 0 -> "";
                case 1 -> "x".repeat(random.nextInt(50_000));
                case 2 -> "\u0000\u001b[2J\r\n\ud83d\ude00";
                case 3 -> "../../etc/passwd";
                case 4 -> PluginRig.VOLUME;
                default -> "unix:///" + random.nextInt();
            };
        }

        /** One that is known, or a number that no version knows. */
        private Object constant(EnumDescriptor type) {
            return random.nextInt(4) == 0
                    ? type.findValueByNumberCreatingIfUnknown(random.nextInt(1_000_000))
                    : type.getValues().get(random.nextInt(type.getValues().size()));
        }

        @Override
        public void close() {}
    }
}
