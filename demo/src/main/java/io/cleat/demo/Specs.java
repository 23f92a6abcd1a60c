package io.cleat.demo;

import io.cleat.api.CsiVolume;
import io.cleat.api.Job;
import io.cleat.base.InvariantBroken;
import io.cleat.jobspec.JobFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.VolumeFile;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The files of {@code examples}, which the program carries with it. */
final class Specs {
    private Specs() {}

    static Job job(String name, Variables variables) {
        String file = name + ".nomad.hcl";
        return good(file, JobFile.parse(source(file), variables, RuntimeValues.real()));
    }

    static CsiVolume volume(String name, Variables variables) {
        String file = name + ".volume.hcl";
        return good(file, VolumeFile.parse(source(file), variables, RuntimeValues.real()));
    }

    private static <T> T good(String file, Parsed<T> parsed) {
        return switch (parsed) {
            case Parsed.Good<T>(T value) -> value;
            case Parsed.Bad<T> bad ->
                throw new InvariantBroken(
                        "an example that came with the program is wrong", Map.of("file", file, "faults", bad.lines()));
        };
    }

    private static Source source(String file) {
        try (InputStream in = Specs.class.getResourceAsStream("/examples/" + file)) {
            if (in == null) {
                throw new InvariantBroken("an example is missing from the program", Map.of("file", file));
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Source.of("examples/" + file, text);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
