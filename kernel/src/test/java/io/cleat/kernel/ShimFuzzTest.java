package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.KernelTrouble;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes of samples, changed at random: each parser gives a value or its own kind of trouble. */
class ShimFuzzTest {
    private static final long SEED = 20_261_122;
    private static final Duration BUDGET = Duration.ofMillis(1_500);
    private static final int LEAST = 2_000;

    /** Reads bytes that somebody sent. */
    private interface Parser {
        Object read(byte[] bytes) throws KernelTrouble, IOException;
    }

    private static final Map<String, Parser> PARSERS = Map.of(
            "exit", bytes -> ShimExit.parse(text(bytes)),
            "state", bytes -> ShimState.parse(text(bytes)),
            "status", bytes -> ShimStatus.of(ShimText.reply(text(bytes))),
            "frame", ShimFuzzTest::frame,
            "stat", bytes -> WorkerPaths.stat(answer(bytes)),
            "look", bytes -> FileReads.look("a", answer(bytes), 0),
            "worker", bytes -> WorkerPaths.values(List.of("stat", "/", "a"), fields(bytes)));

    static Stream<String> parsers() {
        return PARSERS.keySet().stream().sorted();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static List<String> fields(byte[] bytes) {
        return List.of(text(bytes).split("\0", -1));
    }

    private static WorkerAnswer answer(byte[] bytes) {
        return new WorkerAnswer(fields(bytes));
    }

    private static Object frame(byte[] bytes) throws IOException {
        char letter = bytes.length == 0 ? 'x' : (char) (bytes[0] & 0xff);
        return ShimExec.output(letter, Arrays.copyOfRange(bytes, Math.min(1, bytes.length), bytes.length));
    }

    private static List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        try (Stream<Path> samples = Files.list(ShimProgram.sample(""))) {
            for (Path sample : samples.sorted().toList()) {
                seeds.add(Files.readAllBytes(sample));
            }
        }
        for (String more : List.of(
                "1 ok\nstate ending\nchild 1 2\nprocesses 3\nstop_left_ms -1\ndropped 0",
                "x0 0",
                "x-1 9",
                "directory\000755\0000\0000\0004096\0008:1\0000:0\0002\000yes",
                "file\000644\00012\000-5\000999999999\00018446744073709551615",
                "error\0002\000none\000No such file or directory",
                "ok\000absent")) {
            seeds.add(more.getBytes(StandardCharsets.UTF_8));
        }
        return seeds;
    }

    @ParameterizedTest
    @MethodSource("parsers")
    void whateverComesIsAValueOrTrouble(String name) throws Exception {
        Parser parser = PARSERS.getOrDefault(name, bytes -> "");
        List<byte[]> seeds = seeds();
        Random random = new Random(SEED);
        long end = System.nanoTime() + BUDGET.toNanos();
        int read = 0;
        int tries = 0;
        while (tries < LEAST || (System.nanoTime() < end && tries < 200_000)) {
            tries++;
            byte[] bytes = Mutation.of(seeds.get(random.nextInt(seeds.size())), random);
            try {
                parser.read(bytes);
                read++;
            } catch (KernelTrouble | IOException typed) {
                String words = String.valueOf(typed.getMessage());
                assertTrue(words.length() < 8_000, words);
            } catch (RuntimeException fault) {
                throw new AssertionError(name + ", try " + tries + ": " + Arrays.toString(bytes), fault);
            }
        }
        assertTrue(read > 0, "nothing was readable: the seeds are not those of " + name);
    }

    /** One of the usual damages. */
    private static final class Mutation {
        private static final List<String> NASTY = List.of(
                "99999999999999999999",
                "-9223372036854775808",
                "9223372036854775807",
                "18446744073709551615",
                "\n",
                " ",
                "\0",
                "\u001b[2J",
                "\u00ff",
                "");

        private Mutation() {}

        static byte[] of(byte[] seed, Random random) {
            byte[] bytes = seed;
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes = once(bytes, random);
            }
            return bytes;
        }

        private static byte[] once(byte[] bytes, Random random) {
            int at = random.nextInt(bytes.length + 1);
            int to = at + random.nextInt(bytes.length - at + 1);
            byte[] nasty = NASTY.get(random.nextInt(NASTY.size())).getBytes(StandardCharsets.UTF_8);
            return switch (random.nextInt(5)) {
                case 0 -> Arrays.copyOf(bytes, at);
                case 1 -> joined(bytes, at, nasty, at);
                case 2 -> joined(bytes, at, nasty, Math.min(to, at + 12));
                case 3 -> joined(bytes, to, Arrays.copyOfRange(bytes, at, to), to);
                default -> {
                    byte[] some = new byte[random.nextInt(40)];
                    random.nextBytes(some);
                    yield joined(bytes, at, some, to);
                }
            };
        }

        private static byte[] joined(byte[] bytes, int first, byte[] middle, int last) {
            byte[] all = Arrays.copyOf(bytes, first + middle.length + bytes.length - last);
            System.arraycopy(middle, 0, all, first, middle.length);
            System.arraycopy(bytes, last, all, first + middle.length, bytes.length - last);
            return all;
        }
    }
}
