package io.cleat.driverplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExecSession.Output;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Bytes that go into a task through a command, and come back. */
final class Echoed {
    private static final int PIECE = 65_536;

    private Echoed() {}

    /**
     * Fails unless what comes back is what was sent.
     *
     * @param bytes how many; a multiple of 64 KiB
     */
    static void through(TaskDriver driver, TaskHandle task, int bytes) throws Exception {
        byte[] sent = new byte[bytes];
        new Random(7).nextBytes(sent);
        try (ExecSession session = driver.exec(task, new ExecCommand(List.of("cat"), false))) {
            Thread feeding = Thread.ofVirtual().start(() -> feed(session, sent));
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            boolean over = false;
            while (!over) {
                switch (session.next().orElseThrow()) {
                    case Output.Out(byte[] piece) -> got.writeBytes(piece);
                    case Output.Err(byte[] piece) -> throw new AssertionError(piece.length);
                    case Output.Exited _ -> over = true;
                }
            }
            feeding.join();
            assertEquals(sent.length, got.size());
            assertTrue(MessageDigest.isEqual(sent, got.toByteArray()));
        }
    }

    private static void feed(ExecSession session, byte[] sent) {
        try {
            for (int at = 0; at < sent.length; at += PIECE) {
                session.input(Arrays.copyOfRange(sent, at, at + PIECE));
            }
            session.endInput();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }
}
