package io.cleat.nodeapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.SystemTime;
import io.cleat.http.PieceReader;
import io.cleat.kernel.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output over several files is one text, in order and without a gap. */
final class RotatedLogTest {
    private static final Duration SOON = Duration.ofMillis(5);

    @TempDir
    Path logs;

    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void filesFollowEachOtherByNumber() throws Exception {
        write(9, "nine ");
        write(10, "ten ");
        write(11, "eleven");
        Files.writeString(logs.resolve("t.stderr.10"), "other stream");
        Files.writeString(logs.resolve("t.stdout.x"), "no number");
        assertEquals("nine ten eleven", all(open(0, false, false)));
        assertEquals("n eleven", all(open(8, true, false)));
        assertEquals("ten eleven", all(open(5, false, false)));
        assertEquals("nine ten eleven", all(open(999, true, false)));
        assertEquals("", all(open(999, false, false)));
    }

    @Test
    void eachPieceNamesItsFileAndTheOffsetBehindIt() throws Exception {
        write(0, "hello\n");
        write(1, "again\n");
        try (PieceReader log = open(0, false, false)) {
            PieceReader.Piece first = assertInstanceOf(PieceReader.Piece.class, log.next(SOON));
            assertEquals("alloc/logs/t.stdout.0", first.file());
            assertEquals(6, first.offset());
            PieceReader.Piece second = assertInstanceOf(PieceReader.Piece.class, log.next(SOON));
            assertEquals("alloc/logs/t.stdout.1", second.file());
            assertEquals(6, second.offset());
            assertInstanceOf(PieceReader.End.class, log.next(SOON));
        }
    }

    @Test
    void aFollowerReadsOnAcrossRotationsAndEndsWithTheTask() throws Exception {
        write(0, "a");
        try (PieceReader log = open(0, false, true)) {
            assertEquals("a", text(log.next(SOON)));
            assertInstanceOf(PieceReader.Quiet.class, log.next(SOON));
            write(0, "b");
            write(1, "c");
            assertEquals("b", text(log.next(SOON)));
            assertEquals("c", text(log.next(SOON)));
            write(1, "d");
            write(2, "e");
            over.set(true);
            assertEquals("d", text(log.next(SOON)));
            assertEquals("e", text(log.next(SOON)));
            assertInstanceOf(PieceReader.End.class, log.next(SOON));
        }
    }

    /** {@code alloc logs -f} of clients asks so, and showed nothing of what was written before. */
    @Test
    void whoFollowsFromTheEnd_isSentTheNewestFileFromItsBeginning() throws Exception {
        write(3, "old");
        write(4, "new");
        try (PieceReader log = open(0, true, true)) {
            assertEquals("new", text(log.next(SOON)));
            write(4, " more");
            assertEquals(" more", text(log.next(SOON)));
        }
        assertEquals("", all(open(0, true, false)));
    }

    @Test
    void aFileThatIsDeletedWhileItIsReadIsReadToItsEnd() throws Exception {
        write(0, "a");
        try (PieceReader log = open(0, false, true)) {
            assertEquals("a", text(log.next(SOON)));
            write(0, "b");
            write(1, "c");
            Files.delete(logs.resolve("t.stdout.0"));
            assertEquals("b", text(log.next(SOON)));
            assertEquals("c", text(log.next(SOON)));
        }
    }

    @Test
    void aFollowerMayComeBeforeTheFirstFile() throws Exception {
        try (PieceReader log = open(0, false, true)) {
            assertInstanceOf(PieceReader.Quiet.class, log.next(SOON));
            write(0, "first");
            assertEquals("first", text(log.next(SOON)));
        }
    }

    @Test
    void nothingIsLostOrDoubledHoweverItIsRotated() throws Exception {
        StringBuilder wanted = new StringBuilder();
        List<String> got = new ArrayList<>();
        try (PieceReader log = open(0, false, true)) {
            for (int line = 0; line < 2000; line++) {
                String text = "line " + line + "\n";
                write(line / 7, text);
                wanted.append(text);
                if (line % 13 == 0) {
                    got.add(text(log.next(SOON)));
                }
                if (line / 7 > 400) {
                    Files.deleteIfExists(logs.resolve("t.stdout.0"));
                }
            }
            over.set(true);
            PieceReader.Step step = log.next(SOON);
            while (!(step instanceof PieceReader.End)) {
                got.add(text(step));
                step = log.next(SOON);
            }
        }
        assertEquals(wanted.toString(), String.join("", got));
    }

    @Test
    void aTaskThatPutsALinkOrAFifoInPlaceOfItsOutputIsNotFollowed() throws Exception {
        write(0, "own ");
        Path other = Files.writeString(logs.resolve("other"), "not a log");
        Files.createSymbolicLink(logs.resolve("t.stdout.1"), other);
        Process fifo = new ProcessBuilder("mkfifo", logs.resolve("t.stdout.2").toString()).start();
        assertEquals(0, fifo.waitFor());
        write(3, "output");
        assertEquals("own output", all(open(0, false, false)));
    }

    @Test
    void aLargeFileComesInPieces() throws Exception {
        String text = "0123456789abcdef".repeat(10_000);
        write(0, text);
        try (PieceReader log = open(0, false, false)) {
            assertTrue(text(log.next(SOON)).length() <= 64 * 1024);
        }
        assertEquals(text, all(open(0, false, false)));
    }

    private PieceReader open(long offset, boolean fromEnd, boolean follow) throws Exception {
        return RotatedLog.open(
                new Place(logs.toAbsolutePath(), ""), "t.stdout", offset, fromEnd, follow, over::get, new SystemTime());
    }

    private void write(int number, String text) throws IOException {
        Files.writeString(
                logs.resolve("t.stdout." + number), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String all(PieceReader log) throws Exception {
        StringBuilder text = new StringBuilder();
        try (log) {
            PieceReader.Step step = log.next(SOON);
            while (step instanceof PieceReader.Piece) {
                text.append(text(step));
                step = log.next(SOON);
            }
            assertInstanceOf(PieceReader.End.class, step);
        }
        return text.toString();
    }

    private static String text(PieceReader.Step step) {
        return step instanceof PieceReader.Piece piece ? new String(piece.bytes(), StandardCharsets.UTF_8) : "";
    }
}
