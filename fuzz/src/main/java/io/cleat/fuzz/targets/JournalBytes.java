package io.cleat.fuzz.targets;

import io.cleat.fuzz.Target;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The journal of volumes as a node finds it at its start. The first byte says whether the last batch is given a
 * checksum that fits.
 */
final class JournalBytes implements Target {
    private static final byte[] BATCH = Samples.bytes("vjrn");

    private final Constructor<?> open = Hidden.constructor("agent.volumes.JournalFile", Path.class);

    @Override
    public String name() {
        return "journal";
    }

    @Override
    public String about() {
        return "the journal of volumes, torn and damaged";
    }

    @Override
    public List<byte[]> samples() throws Exception {
        List<byte[]> samples = new ArrayList<>();
        for (byte[] journal : Samples.files("agent/src/test/resources/history", "volumes-journal-")) {
            samples.add(First.with(0, journal));
            samples.add(First.with(1, journal));
        }
        return samples;
    }

    @Override
    public void run(byte[] input) throws Exception {
        byte[] bytes = First.rest(input);
        if (First.of(input, 2) == 1) {
            fit(bytes);
        }
        // What is cut off is kept beside it.
        Path directory = Files.createTempDirectory("fz");
        Path file = directory.resolve("journal");
        try {
            Files.write(file, bytes);
            if (Hidden.make(open, file) instanceof AutoCloseable journal) {
                journal.close();
            }
        } finally {
            try (Stream<Path> all = Files.list(directory)) {
                for (Path each : all.toList()) {
                    Files.delete(each);
                }
            }
            Files.delete(directory);
        }
    }

    private static void fit(byte[] bytes) {
        for (int at = bytes.length - BATCH.length; at >= 0; at--) {
            if (Arrays.equals(bytes, at, at + BATCH.length, BATCH, 0, BATCH.length)) {
                byte[] batch = Envelopes.fitting(Arrays.copyOfRange(bytes, at, bytes.length));
                System.arraycopy(batch, 0, bytes, at, batch.length);
                return;
            }
        }
    }
}
