package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.http.AgentLog;
import io.cleat.http.PieceReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

final class LogFollowersTest {
    private final Logger root = root();
    private final LogFollowers log = new LogFollowers(root, new Logging.Lines());

    LogFollowersTest() {
        root.addHandler(log);
    }

    private static Logger root() {
        Logger root = Logger.getAnonymousLogger();
        root.setUseParentHandlers(false);
        root.setLevel(Level.INFO);
        return root;
    }

    private static String next(PieceReader reader) throws Exception {
        PieceReader.Piece piece = assertInstanceOf(PieceReader.Piece.class, reader.next(Duration.ofSeconds(10)));
        return new String(piece.bytes(), StandardCharsets.UTF_8);
    }

    private static void assertQuiet(PieceReader reader) throws Exception {
        assertInstanceOf(PieceReader.Quiet.class, reader.next(Duration.ZERO));
    }

    @Test
    void eachFollowerHasWhatItWants_fromNowOn() throws Exception {
        root.warning("before");
        try (PieceReader all = log.follow(AgentLog.Severity.DEBUG, false);
                PieceReader few = log.follow(AgentLog.Severity.WARN, true)) {
            root.fine("fine\u001b[2J");
            root.finest("finest");
            root.warning("wrong");
            assertTrue(next(all).endsWith("fine\\u001b[2J\n"));
            assertTrue(next(all).endsWith("wrong\n"));
            assertQuiet(all);
            String line = next(few);
            assertTrue(line.contains("\"@level\":\"warning\""), line);
            assertTrue(line.contains("\"@message\":\"wrong\""), line);
            assertQuiet(few);
        }
        assertEquals(Level.INFO, root.getLevel(), "nobody wants more than usual any more");
    }

    @Test
    void oneThatDoesNotRead_losesLines_andIsToldHowMany() throws Exception {
        try (PieceReader slow = log.follow(AgentLog.Severity.INFO, false)) {
            for (int i = 0; i < LogFollowers.LINES + 3; i++) {
                root.info("line " + i);
            }
            String first = next(slow);
            assertTrue(first.contains("3 lines were lost"), first);
            assertTrue(first.endsWith("line 0\n"), first);
            assertTrue(next(slow).endsWith("line 1\n"));
        }
    }

    @Test
    void soManyFollow_andOneMoreOnceOneLeaves() throws Exception {
        List<PieceReader> all = new ArrayList<>();
        for (int i = 0; i < LogFollowers.MOST; i++) {
            all.add(log.follow(AgentLog.Severity.INFO, false));
        }
        Refused refused = assertThrows(Refused.class, () -> log.follow(AgentLog.Severity.INFO, false));
        assertInstanceOf(Refusal.Exhausted.class, refused.refusal());
        all.getFirst().close();
        all.getFirst().close();
        log.follow(AgentLog.Severity.INFO, false);
        assertThrows(Refused.class, () -> log.follow(AgentLog.Severity.INFO, false));
    }
}
