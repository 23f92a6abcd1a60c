package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A sample says what an older program wrote, so it is never edited: {@code samples.sha256} keeps the hash of each. A
 * new one gets a line there; a line that is there never changes and never goes.
 */
final class SampleHashesTest {
    private static final Path KEPT = Tree.ROOT.resolve("architecture/src/test/resources/samples.sha256");

    @Test
    void noSampleWasEditedOrRemovedAndEachIsKept() throws Exception {
        Map<String, String> kept = kept();
        Set<String> wrong = new TreeSet<>();
        Map<String, String> there = new TreeMap<>();
        for (Path sample : samples()) {
            there.put(Tree.relative(sample), sha256(Files.readAllBytes(sample)));
        }
        there.forEach((sample, hash) -> {
            if (!kept.containsKey(sample)) {
                wrong.add("new, add the line: " + hash + "  " + sample);
            } else if (!hash.equals(kept.get(sample))) {
                wrong.add("edited: " + sample + "; give a new version a sample of its own");
            }
        });
        kept.keySet().stream()
                .filter(sample -> !there.containsKey(sample))
                .forEach(sample -> wrong.add("removed: " + sample));
        assertTrue(there.size() > 30, "the samples were not found: " + there.size());
        assertEquals(Set.of(), wrong);
    }

    @Test
    void anEditedSampleHasAnotherHash() throws Exception {
        byte[] sample = Files.readAllBytes(samples().getFirst());
        String before = sha256(sample);
        sample[sample.length / 2] ^= 1;
        assertNotEquals(before, sha256(sample));
    }

    private static List<Path> samples() {
        List<Path> samples = new ArrayList<>(Tree.filesBelow(Tree.ROOT.resolve("shim/samples")));
        for (String module : Tree.modules()) {
            samples.addAll(Tree.filesBelow(Tree.ROOT.resolve(module).resolve("src/test/resources/history")));
        }
        return samples;
    }

    private static Map<String, String> kept() throws IOException {
        Map<String, String> kept = new TreeMap<>();
        for (String line : Files.readAllLines(KEPT, StandardCharsets.UTF_8)) {
            int gap = line.indexOf("  ");
            kept.put(line.substring(gap + 2), line.substring(0, gap));
        }
        return kept;
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
