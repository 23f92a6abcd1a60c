package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.junit.jupiter.api.Test;

/** A websocket over a session that does as Jetty's does where a test cannot bring it to do so. */
final class OpenWebSocketTest {
    private final List<String> said = new ArrayList<>();
    private final List<Runnable> threads = new ArrayList<>();

    /** What Jetty's session does once the threads of its server take nothing more. */
    private static final class Stopping extends CoreSession.Empty {
        private boolean isStopped;

        @Override
        public void demand() {
            if (isStopped) {
                throw new RejectedExecutionException("the pool is stopped");
            }
        }
    }

    private final class Listening implements Conversation {
        @Override
        public void speak(Speaker speaker) {
            said.add("speaks");
        }

        @Override
        public void hear(byte[] message) {
            said.add("hears " + message.length);
        }

        @Override
        public void gone() {
            said.add("gone");
        }
    }

    @Test
    void aServerThatStopsWhileAMessageIsHeardEndsTheConversationAndIsNoFault() {
        InternalErrors errors = new InternalErrors((where, fault) -> said.add(where), () -> "1a2b3c4d-5e6f");
        OpenWebSocket socket = new OpenWebSocket(new Listening(), threads::add, errors);
        Stopping session = new Stopping();
        socket.onOpen(session, Callback.NOOP);
        socket.onFrame(new Frame(OpCode.TEXT, ByteBuffer.wrap(new byte[] {'x'})), Callback.NOOP);
        session.isStopped = true;
        threads.get(1).run();
        assertEquals(List.of("hears 1", "gone"), said);
    }
}
