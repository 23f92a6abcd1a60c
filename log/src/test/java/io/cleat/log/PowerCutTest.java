package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Power fails while the log's last record is written: the disk has any part of it. */
final class PowerCutTest {
    /** What a segment begins with, and what ends each of its records, in bytes. */
    private static final int MAGIC = 8;

    private static final int CHECKSUM = 4;

    /** How many zeros are written ahead of the records, here. */
    private static final int AHEAD = 4096;

    /** Each look costs a start of the log; where the zeros begin matters little. */
    private static final int EVERY = 8;

    /** Opening a log takes a quarter of a second. */
    private static final int STEP = 3;

    @TempDir
    Path directory;

    @Test
    void whatIsWholeIsThereAtAnyByteOfTheLastRecord_andTheLogGoesOn() throws Exception {
        Path whole = directory.resolve("whole");
        write(whole, List.of("one", "two", "three"));
        byte[] segment = Files.readAllBytes(segment(whole));
        Span last = lastRecord(segment);
        String text = new String(segment, last.start(), last.end() - last.start(), StandardCharsets.ISO_8859_1);
        assertTrue(text.contains("three"), text);
        // From its first byte to its last; a step that no length in it is a multiple of.
        for (int cut = last.start(); cut < last.end(); cut += cut + STEP < last.end() ? STEP : 1) {
            // What a file system does not know to be written is beyond the end, or reads as zeros.
            check(whole, Arrays.copyOf(segment, cut), "cut at " + cut);
            if ((cut - last.start()) % (STEP * EVERY / 2) != 0) {
                continue;
            }
            byte[] zeros = Arrays.copyOf(Arrays.copyOf(segment, cut), segment.length + AHEAD);
            check(whole, zeros, "zeros from " + cut);
        }
    }

    /** What was acknowledged is not dropped as if it had never been written to its end. */
    @Test
    void aLastRecordThatHasRotted_isNotTakenForATornOne() throws Exception {
        Path whole;
        byte[] segment;
        Span last;
        int tries = 0;
        do {
            whole = directory.resolve("whole" + tries++);
            write(whole, List.of("one", "two", "three" + tries));
            segment = Files.readAllBytes(segment(whole));
            last = lastRecord(segment);
            // One of 256 check sums ends with a zero, as what was never written does.
        } while (segment[last.end() - 1] == 0);
        // Where the first byte, the length, has rotted, it may look torn.
        for (int rotten = last.start() + 1; rotten < last.end() - 1; rotten += EVERY) {
            byte[] changed = segment.clone();
            changed[rotten] ^= 0x10;
            Path log = Files.createTempDirectory(directory, "rotten");
            copy(whole, log);
            Files.write(segment(log), changed);
            DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> begin(log));
            String why = trouble.reason();
            assertTrue(why.contains("truncate -s " + last.start()), why);
            assertArrayEquals(changed, Files.readAllBytes(segment(log)), "nothing is changed");
        }
        check(whole, Arrays.copyOf(segment, last.start()), "cut as the message says");
    }

    /** From its first byte to the one behind it. */
    private record Span(int start, int end) {}

    private static Span lastRecord(byte[] segment) {
        Span last = new Span(0, MAGIC);
        for (int next = next(segment, MAGIC); next > last.end(); next = next(segment, next)) {
            last = new Span(last.end(), next);
        }
        return last;
    }

    private static void begin(Path log) throws Exception {
        Recording recording = new Recording();
        try (RatisLog ratis = RatisLogTest.ratis(settings(log), recording)) {
            ratis.start(recording);
        }
    }

    private static LogSettings settings(Path log) {
        return new LogSettings(log, Optional.empty(), 1 << 20, 100, 4 << 20, 0);
    }

    private static void write(Path log, List<String> texts) throws Exception {
        Recording recording = new Recording();
        try (RatisLog ratis = RatisLogTest.ratis(settings(log), recording)) {
            ratis.start(recording);
            recording.awaitLeading();
            for (int i = 0; i < texts.size(); i++) {
                ReplicatedLogContract.append(ratis, recording, texts.get(i));
                recording.awaitOutcomes(i + 1);
            }
        }
    }

    private void check(Path whole, byte[] segment, String how) throws Exception {
        Path torn = Files.createTempDirectory(directory, "torn");
        copy(whole, torn);
        Files.write(segment(torn), segment);
        Recording recording = new Recording();
        try (RatisLog ratis = RatisLogTest.ratis(settings(torn), recording)) {
            ratis.start(recording);
            recording.awaitLeading();
            ReplicatedLogContract.append(ratis, recording, "after");
            recording.awaitOutcomes(1);
            assertEquals(List.of("one", "two", "after"), recording.texts(), how);
            assertEquals(List.of(), recording.faults(), how);
        }
    }

    private static Path segment(Path log) throws IOException {
        try (Stream<Path> found = Files.walk(log)) {
            return found.filter(path -> String.valueOf(path.getFileName()).startsWith("log_"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Where the record at {@code at} ends; {@code at} itself if there is none. */
    private static int next(byte[] segment, int at) {
        int length = 0;
        int from = at;
        if (at == segment.length) {
            return at;
        }
        for (int shift = 0; ; shift += 7) {
            byte part = segment[from++];
            length |= (part & 0x7f) << shift;
            if (part >= 0) {
                return length == 0 ? at : from + length + CHECKSUM;
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> found = Files.walk(from)) {
            for (Path path : found.sorted().toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        }
    }
}
