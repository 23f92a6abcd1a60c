package io.cleat.jobspec.hcl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values that the user gives to the variables of a file: {@code -var name=value} wins over {@code -var-file}, that
 * over the environment; of two of one kind the later wins, and {@code CLEAT_VAR_name} over {@code NOMAD_VAR_name}.
 *
 * @param flags values by name, as text
 * @param files files of {@code name = value} lines
 * @param environment the environment of the process; only the names above are looked at
 */
public record Variables(Map<String, String> flags, List<Source> files, Map<String, String> environment) {
    private static final Variables NONE = new Variables(Map.of(), List.of(), Map.of());

    public Variables {
        flags = Map.copyOf(flags);
        files = List.copyOf(files);
        environment = Map.copyOf(environment);
    }

    /** No values; each variable has its default. */
    public static Variables none() {
        return NONE;
    }

    /** With the value of one variable, as {@code -var} gives it. */
    public Variables withFlag(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(flags);
        more.put(name, value);
        return new Variables(more, files, environment);
    }

    /** With a file of values, as {@code -var-file} gives it. */
    public Variables withFile(Source file) {
        List<Source> more = new ArrayList<>(files);
        more.add(file);
        return new Variables(flags, more, environment);
    }

    /** With the environment of the process instead of the one before. */
    public Variables withEnvironment(Map<String, String> all) {
        return new Variables(flags, files, all);
    }
}
