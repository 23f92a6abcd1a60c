package io.cleat.fuzz.targets;

import io.cleat.api.Job;
import io.cleat.base.Refused;
import io.cleat.fuzz.Target;
import io.cleat.http.Filter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** The query parameter {@code filter}, asked of jobs. */
final class Filters implements Target {
    private final Method parse = Hidden.method("http.FilterParser", "parse", String.class);
    private final List<Job> jobs = new ArrayList<>();

    @Override
    public String name() {
        return "filters";
    }

    @Override
    public String about() {
        return "filter expressions of lists, and what they say of jobs";
    }

    @Override
    public List<byte[]> samples() {
        return List.of(
                        "ID == \"a\" and not (Name contains \"b\" or Priority > 5)",
                        "TaskGroups.Tasks.Name matches `^t[0-9]+$`",
                        "\"x\" in Datacenters or Meta is empty",
                        "Meta.owner != \"me\" and Status is not empty",
                        "any TaskGroups as g { g.Name == \"a\" }",
                        "\"/Meta/a~1b\" == 1.5")
                .stream()
                .map(Samples::bytes)
                .toList();
    }

    @Override
    public List<String> words() {
        return List.of(
                "not ",
                "and ",
                "or ",
                "in ",
                "contains ",
                "matches ",
                "is empty",
                "not matches ",
                "not in ",
                "==",
                "!=",
                "`^(a|b)*!$`",
                "`(([a-z]+)*)*!`",
                "TaskGroups[0]",
                "TaskGroups.0.Name",
                "any ",
                "all ",
                "as i, g {",
                "}",
                "is nil",
                "\"\\ud800\"");
    }

    @Override
    public void run(byte[] input) throws Exception {
        if (jobs.isEmpty()) {
            jobs.addAll(Samples.jobs());
        }
        if (Hidden.call(parse, null, Samples.text(input)) instanceof Filter filter) {
            for (Job job : jobs) {
                ask(filter, job);
            }
        }
    }

    /** A field that no job has is refused in the middle of a list, as a request is. */
    private static void ask(Filter filter, Job job) throws Refused {
        try {
            filter.matches(() -> job);
        } catch (RuntimeException fault) {
            if (fault.getCause() instanceof Refused refused) {
                throw refused;
            }
            throw fault;
        }
    }
}
