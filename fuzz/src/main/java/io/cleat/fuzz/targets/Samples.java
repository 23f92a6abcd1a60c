package io.cleat.fuzz.targets;

import io.cleat.api.Job;
import io.cleat.jobspec.JobFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Good inputs, from the examples and the samples of formats in this repository. */
final class Samples {
    private static final Path ROOT =
            Path.of(System.getProperty("cleat.root", "..")).toAbsolutePath().normalize();

    private Samples() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Files of a directory by the ending of their names, or by what the names hold. */
    static List<byte[]> files(String directory, String part) throws IOException {
        List<byte[]> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(ROOT.resolve(directory))) {
            for (Path file : all.sorted().toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.contains(part) && Files.isRegularFile(file)) {
                    byte[] bytes = Files.readAllBytes(file);
                    found.add(
                            name.endsWith(".hex")
                                    ? HexFormat.of().parseHex(new String(bytes, StandardCharsets.US_ASCII).strip())
                                    : bytes);
                }
            }
        }
        if (found.isEmpty()) {
            throw new IOException("no sample *" + part + "* in " + ROOT.resolve(directory));
        }
        return found;
    }

    /** The jobs of the examples that need no variable to be given. */
    static List<Job> jobs() throws IOException {
        List<Job> jobs = new ArrayList<>();
        for (byte[] file : files("examples", ".nomad.hcl")) {
            if (JobFile.parse(Source.of("example", text(file)), Variables.none(), RuntimeValues.real())
                    instanceof Parsed.Good<Job>(Job job)) {
                jobs.add(job);
            }
        }
        return jobs;
    }
}
