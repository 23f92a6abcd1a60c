package io.cleat.driver;

import io.cleat.base.TextRule;
import java.util.List;
import java.util.Map;

/**
 * The texts of a task's configuration as the task is started with them. They were checked when the job was submitted;
 * since then references were replaced by what templates made, which is anything.
 */
public final class ConfigTexts {
    private ConfigTexts() {}

    /** Adds what breaks {@link TextRule#fault}, with its place. */
    public static void check(Map<String, Object> config, List<String> faults) {
        config.forEach((key, value) -> check("config " + key, value, faults));
    }

    /** As {@link #check(Map, List)}, for environment variables, whose names have no equals sign. */
    public static void checkVariables(Map<String, String> variables, List<String> faults) {
        variables.forEach((name, value) -> {
            String place = "variable " + TextRule.quoted(name);
            TextRule.fault(name).ifPresent(fault -> faults.add(place + " " + fault));
            TextRule.fault(value).ifPresent(fault -> faults.add(place + " " + fault));
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                faults.add(place + " has a name that is empty or holds an equals sign");
            }
        });
    }

    private static void check(String place, Object value, List<String> faults) {
        switch (value) {
            case String text -> TextRule.fault(text).ifPresent(fault -> faults.add(place + " " + fault));
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) {
                    check(place + "[" + i + "]", list.get(i), faults);
                }
            }
            case Map<?, ?> map ->
                map.forEach((key, each) -> {
                    String name = String.valueOf(key);
                    check("a name in " + place, name, faults);
                    check(place + "." + TextRule.quoted(name), each, faults);
                });
            default -> {}
        }
    }
}
