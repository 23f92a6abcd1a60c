package io.cleat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.fuzz.targets.Targets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What was found once is never found again: each file under {@code findings/TARGET} is an input, named for what it did.
 */
final class FindingsTest {
    private static final Path FOUND =
            Path.of(System.getProperty("cleat.root", ".."), "fuzz/src/test/resources/findings");

    private static List<Path> found() throws IOException {
        try (Stream<Path> all = Files.walk(FOUND)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @TestFactory
    Stream<DynamicTest> whatWasFoundIsFoundNoMore() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : found()) {
            Path relative = FOUND.relativize(file);
            Target target = Targets.named(relative.getName(0).toString());
            tests.add(DynamicTest.dynamicTest(
                    relative.toString(),
                    () -> assertEquals(Optional.empty(), new Trial(target).fault(Files.readAllBytes(file)))));
        }
        return tests.stream();
    }

    @Test
    void everySampleIsAnAnswer() throws Exception {
        for (Target target : Targets.ALL) {
            List<byte[]> samples = target.samples();
            assertTrue(!samples.isEmpty(), target.name() + " has no samples");
            for (byte[] sample : samples) {
                assertEquals(Optional.empty(), new Trial(target).fault(sample), target.name());
            }
        }
    }
}
