package io.cleat.http;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.FutureCallback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.exception.MessageTooLargeException;

/**
 * One websocket, between Jetty's callbacks and a conversation that blocks: two threads, one that speaks and one that
 * hears. Jetty gives the next frame only when asked, so what the conversation does not take stays with the client.
 */
final class OpenWebSocket implements FrameHandler {
    /** Longer than between two signs of life of a client, which come every 10 s. */
    private static final Duration IDLE = Duration.ofSeconds(60);

    private static final int LONGEST_MESSAGE = 4 << 20;
    private static final int LONGEST_REASON = 123;

    private static final int REFUSED = 1008;
    private static final int FAILED = 1011;

    private final Conversation conversation;
    private final Executor threads;
    private final InternalErrors errors;
    private final BlockingQueue<Optional<byte[]>> heard = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private final CompletableFuture<CoreSession> opened = new CompletableFuture<>();
    private volatile boolean hearing;

    OpenWebSocket(Conversation conversation, Executor threads, InternalErrors errors) {
        this.errors = errors;
        this.conversation = conversation;
        this.threads = threads;
    }

    @Override
    public void onOpen(CoreSession session, Callback callback) {
        session.setIdleTimeout(IDLE);
        session.addIdleTimeoutListener(timeout -> isDead(session));
        opened.complete(session);
        callback.succeeded();
        threads.execute(() -> speak(session));
        threads.execute(() -> hear(session));
        session.demand();
    }

    /**
     * While a message is being taken nothing more is read, so that signs of life are not seen: then a sign of our own
     * shows whether somebody is there.
     */
    private boolean isDead(CoreSession session) {
        if (hearing) {
            session.sendFrame(new Frame(OpCode.PING), Callback.NOOP, false);
        }
        return !hearing;
    }

    @Override
    public void onFrame(Frame frame, Callback callback) {
        boolean isWhole = false;
        switch (frame.getOpCode()) {
            case OpCode.TEXT, OpCode.BINARY, OpCode.CONTINUATION -> {
                if (message.size() + (long) frame.getPayloadLength() > LONGEST_MESSAGE) {
                    callback.failed(new MessageTooLargeException("more than 4 MiB"));
                    return;
                }
                message.writeBytes(BufferUtil.toArray(frame.getPayload()));
                isWhole = frame.isFin();
            }
            case OpCode.PING ->
                opened.join()
                        .sendFrame(
                                new Frame(OpCode.PONG, ByteBuffer.wrap(BufferUtil.toArray(frame.getPayload()))),
                                Callback.NOOP,
                                false);
            default -> {}
        }
        callback.succeeded();
        if (isWhole) {
            heard.add(Optional.of(message.toByteArray()));
            message.reset();
        } else if (frame.getOpCode() == OpCode.CLOSE) {
            heard.add(Optional.empty());
        } else {
            opened.join().demand();
        }
    }

    @Override
    public void onError(Throwable cause, Callback callback) {
        heard.add(Optional.empty());
        callback.succeeded();
    }

    @Override
    public void onClosed(CloseStatus status, Callback callback) {
        heard.add(Optional.empty());
        // A server that stops may have begun neither of the two threads.
        conversation.gone();
        callback.succeeded();
    }

    private void speak(CoreSession session) {
        int status = FAILED;
        String words = "internal error";
        try {
            conversation.speak(message -> say(session, message));
            status = CloseStatus.NORMAL;
            words = "";
        } catch (Refused refused) {
            status = REFUSED;
            words = refused.refusal().message();
        } catch (Trouble trouble) {
            words = trouble.reason();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            words = "the agent stops";
        } catch (RuntimeException | Error fault) {
            words = InternalErrors.words(errors.tell("websocket, speaking", fault));
        } finally {
            close(session, status, words);
            conversation.gone();
        }
    }

    private static void say(CoreSession session, byte[] text) throws LinkTrouble, InterruptedException {
        FutureCallback sent = new FutureCallback();
        session.sendFrame(new Frame(OpCode.TEXT, ByteBuffer.wrap(text)), sent, false);
        try {
            sent.get();
        } catch (ExecutionException gone) {
            throw new LinkTrouble("the client of a websocket is gone", Effect.UNKNOWN, Retry.NEVER, gone);
        }
    }

    private void hear(CoreSession session) {
        boolean listens = true;
        try {
            for (Optional<byte[]> next = heard.take(); next.isPresent(); next = heard.take()) {
                hearing = true;
                listens = listens && takes(session, next.get());
                hearing = false;
                // Also what is not listened to: behind it comes the client's end.
                if (!demand(session)) {
                    return;
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error fault) {
            close(session, FAILED, InternalErrors.words(errors.tell("websocket, hearing", fault)));
        } finally {
            conversation.gone();
        }
    }

    /** Asks for the next frame; false if none will come, since the server has stopped. */
    private static boolean demand(CoreSession session) {
        try {
            session.demand();
            return true;
        } catch (RejectedExecutionException stopped) {
            return false;
        }
    }

    /** Whether the conversation takes more. */
    private boolean takes(CoreSession session, byte[] text) throws InterruptedException {
        if (!isText(text)) {
            close(session, CloseStatus.BAD_PAYLOAD, "the message is not UTF-8");
            conversation.gone();
            return false;
        }
        try {
            conversation.hear(text);
            return true;
        } catch (Refused refused) {
            close(session, REFUSED, refused.refusal().message());
            conversation.gone();
        } catch (Trouble over) {
            // How it ended is for the one who speaks to say.
            return false;
        }
        return false;
    }

    private static boolean isText(byte[] message) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(message));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }

    private static void close(CoreSession session, int status, String words) {
        String reason = VisibleText.head(VisibleText.line(words), LONGEST_REASON);
        while (reason.getBytes(StandardCharsets.UTF_8).length > LONGEST_REASON) {
            reason = VisibleText.head(reason, reason.length() - 1);
        }
        session.close(status, reason.isEmpty() ? null : reason, Callback.NOOP);
    }
}
