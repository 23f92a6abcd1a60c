package io.cleat.agent.template;

import static io.cleat.agent.template.Arguments.function;

import io.cleat.base.Meter;
import io.cleat.base.Refused;
import io.cleat.base.Secret;
import io.cleat.base.Secrets;
import io.cleat.base.TextRule;
import io.cleat.template.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What one rendering reads of the cluster's variables. */
final class VariableFunctions {
    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** What asking for one costs in steps. */
    private static final long ASKING = 100;

    private final TaskVariables variables;
    private final Meter meter;
    private final Map<String, Long> read = new TreeMap<>();
    private final List<Secrets> values = new ArrayList<>();
    private @Nullable String missing;

    VariableFunctions(TaskVariables variables, Meter meter) {
        this.variables = variables;
        this.meter = meter;
    }

    /** The version of each that it asked for, by path. */
    Map<String, Long> read() {
        return read;
    }

    /** What it waits for; empty if for nothing. */
    Optional<String> missing() {
        return Optional.ofNullable(missing);
    }

    void addTo(Map<String, Function> all) {
        all.put("nomadVar", function(1, 1, "nomadVar path", g -> items(own(g.text(0)))));
        all.put(
                "nomadVarExists",
                function(1, 1, "nomadVarExists path", g -> find(own(g.text(0))).isPresent()));
        all.put("nomadVarList", function(0, 1, "nomadVarList prefix", g -> list(prefix(g))));
        all.put("nomadVarListSafe", function(0, 1, "nomadVarListSafe prefix", g -> full(prefix(g))));
    }

    /**
     * Words of an error that show nothing of what was read: what is quoted in them stays only if the template itself
     * says so.
     */
    String withoutValues(String words, String template) {
        if (values.isEmpty()) {
            return words;
        }
        String shown = words;
        for (Secrets each : values) {
            for (String value : each.reveal().values()) {
                shown = value.isBlank() ? shown : shown.replace(value, Secret.REDACTED);
            }
        }
        return QUOTED.matcher(shown)
                .replaceAll(match -> template.contains(Objects.requireNonNull(match.group(1)))
                        ? "$0"
                        : "\"" + Secret.REDACTED + "\"");
    }

    /** A path may name its namespace, as {@code path@namespace}. */
    private String own(String given) throws Refused {
        String end = "@" + variables.namespace();
        String path = given.endsWith(end) ? given.substring(0, given.length() - end.length()) : given;
        if (!variables.paths().contains(path)) {
            throw Arguments.wrong("a task may not read the variable "
                    + TextRule.quoted(given)
                    + ": those that it may are "
                    + String.join(", ", variables.paths())
                    + " of namespace "
                    + variables.namespace());
        }
        return path;
    }

    private static String prefix(Arguments given) throws Refused {
        return given.count() == 0 ? "" : given.text(0);
    }

    private Optional<TaskVariables.Variable> find(String path) throws Refused {
        meter.step(ASKING);
        Optional<TaskVariables.Answer> answer = variables.answer();
        read.putIfAbsent(path, MadeOf.version(answer, path));
        if (answer.isEmpty()) {
            throw waits("nomadVar(" + path + "), which no server has told yet");
        }
        if (!answer.get().fault().isEmpty()) {
            throw waits("nomadVar(" + path + "): " + answer.get().fault());
        }
        return Optional.ofNullable(answer.get().byPath().get(path));
    }

    private Refused waits(String what) {
        missing = what;
        return Arguments.wrong("it waits for " + what);
    }

    private Map<String, Object> items(String path) throws Refused {
        Optional<TaskVariables.Variable> found = find(path);
        if (found.isEmpty()) {
            throw waits("nomadVar(" + path + ")");
        }
        Secrets items = found.get().items();
        values.add(items);
        meter.makeElements(items.byName().size());
        Map<String, Object> plain = new TreeMap<>();
        for (Map.Entry<String, String> item : items.reveal().entrySet()) {
            meter.make((long) item.getKey().length() + item.getValue().length());
            plain.put(item.getKey(), item.getValue());
        }
        return plain;
    }

    /** Those that are there, of those that the task may read. */
    private List<Map<String, Object>> list(String prefix) throws Refused {
        List<Map<String, Object>> found = new ArrayList<>();
        for (String path : variables.paths()) {
            if (path.startsWith(prefix)) {
                Optional<TaskVariables.Variable> variable = find(path);
                meter.makeElements(1);
                variable.ifPresent(each -> found.add(
                        Map.of("Path", path, "Namespace", variables.namespace(), "ModifyIndex", each.version())));
            }
        }
        return found;
    }

    private List<Map<String, Object>> full(String prefix) throws Refused {
        List<Map<String, Object>> found = list(prefix);
        if (found.isEmpty()) {
            throw waits("nomadVarListSafe(" + prefix + ")");
        }
        return found;
    }
}
