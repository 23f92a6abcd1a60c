package io.cleat.cli;

import io.cleat.api.Canonical;
import io.cleat.api.CsiVolume;
import io.cleat.api.HostVolume;
import io.cleat.api.Job;
import io.cleat.api.JobSubmission;
import io.cleat.api.JobValidation;
import io.cleat.api.Json;
import io.cleat.api.Namespace;
import io.cleat.base.Ids;
import io.cleat.base.Refused;
import io.cleat.jobspec.HostVolumeFile;
import io.cleat.jobspec.JobFile;
import io.cleat.jobspec.NamespaceFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.VolumeFile;
import io.cleat.jobspec.hcl.FaultText;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** The job or volume file a verb was given; {@code -} is standard input. */
final class SpecFile {
    static final Flag VARIABLE = Flag.repeated("var", "name=value", "The value of a variable of the file.");
    static final Flag VARIABLE_FILE = Flag.repeated("var-file", "file", "A file of values of variables.");

    private SpecFile() {}

    /** A job, and the text that says it. */
    record Submitted(Job job, JobSubmission text) {}

    /**
     * Reads a job, in the namespace the user named or else its own.
     *
     * @throws Failure all that is wrong with it, with places
     */
    static Job job(Call call) throws Failure, IOException {
        return submitted(call).job();
    }

    /** As {@link #job}, with its text. */
    static Submitted submitted(Call call) throws Failure, IOException {
        Source source = source(call);
        Job job = inNamespace(
                call,
                good(
                        call,
                        JobFile.parse(source, variables(call), runtime(call)),
                        rest -> JobValidation.faults(Canonical.stored(rest))));
        StringBuilder variables = new StringBuilder();
        for (String file : call.flags().values(VARIABLE_FILE.name())) {
            variables.append(Source.read(resolve(call, file)).text());
        }
        return new Submitted(
                job,
                new JobSubmission(
                        source.text(),
                        source.text().stripLeading().startsWith("{") ? "json" : "hcl2",
                        call.flags().pairs(VARIABLE.name()),
                        variables.toString()));
    }

    /**
     * Reads a volume of a plugin.
     *
     * @throws Failure all that is wrong with it, with places
     */
    private static CsiVolume volume(Call call, Source source) throws Failure, IOException {
        return good(call, VolumeFile.parse(source, variables(call), runtime(call)), rest -> List.of());
    }

    /**
     * Reads a namespace.
     *
     * @throws Failure all that is wrong with it, with places
     */
    static Namespace namespace(Call call) throws Failure, IOException {
        return good(call, NamespaceFile.parse(source(call), variables(call), runtime(call)), rest -> List.of());
    }

    /** The volume of the file: of a plugin, or of a node. */
    static Volume anyVolume(Call call) throws Failure, IOException {
        Source source = source(call);
        if (!HostVolumeFile.isOne(source, variables(call), runtime(call))) {
            return new Volume.OfPlugin(volume(call, source));
        }
        return new Volume.OfHost(
                good(call, HostVolumeFile.parse(source, variables(call), runtime(call)), rest -> List.of()));
    }

    /** A volume of a plugin, or of a node. */
    sealed interface Volume {
        record OfPlugin(CsiVolume volume) implements Volume {}

        record OfHost(HostVolume volume) implements Volume {}
    }

    private static RuntimeValues runtime(Call call) {
        return new RuntimeValues(call.time(), Ids.random());
    }

    private static Source source(Call call) throws IOException {
        String name = call.argument(0);
        if (name.equals("-")) {
            byte[] text = call.environment().terminal().readAll();
            return Source.of(
                    "<stdin>",
                    new String(text, StandardCharsets.UTF_8),
                    call.environment().directory().toAbsolutePath());
        }
        return Source.read(resolve(call, name));
    }

    private static Path resolve(Call call, String name) {
        return call.environment().directory().resolve(name);
    }

    private static Variables variables(Call call) throws Failure, IOException {
        Variables variables =
                Variables.none().withEnvironment(call.environment().variables());
        for (String file : call.flags().values(VARIABLE_FILE.name())) {
            variables = variables.withFile(Source.read(resolve(call, file)));
        }
        for (Map.Entry<String, String> value :
                call.flags().pairs(VARIABLE.name()).entrySet()) {
            variables = variables.withFlag(value.getKey(), value.getValue());
        }
        return variables;
    }

    /** @param rules what is wrong besides, with what is left once parts are left out that are not supported */
    private static <T> T good(Call call, Parsed<T> parsed, Function<T, List<String>> rules) throws Failure {
        return switch (parsed) {
            case Parsed.Good<T>(T value) -> value;
            case Parsed.Bad<T> bad -> {
                FaultText text = call.isColoured() ? FaultText.coloured() : FaultText.plain();
                call.ask(text.render(bad.faults()));
                List<String> more = bad.rest().map(rules).orElse(List.of());
                more.forEach(fault -> call.ask("\nError: " + fault.stripTrailing() + "\n"));
                int count = bad.faults().size() + more.size();
                throw new Failure(
                        "%s has %d fault%s".formatted(call.argument(0), count, count == 1 ? "" : "s"),
                        "nothing was sent");
            }
        };
    }

    private static Job inNamespace(Call call, Job job) throws Failure {
        Optional<String> named = call.namedNamespace();
        if (named.isEmpty()) {
            return job;
        }
        ObjectNode tree = Json.toTree(job).asObject();
        tree.put("Namespace", named.get());
        try {
            return Json.fromTree(tree, Job.class);
        } catch (Refused unreadable) {
            throw new Failure(unreadable.refusal().message());
        }
    }
}
