package io.cleat.driver.rawexec;

import io.cleat.driver.ConfigTexts;
import io.cleat.kernel.TextPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What a {@code raw_exec} task's {@code config} block says.
 *
 * @param command a path, or a name to look for
 */
record Command(String command, List<String> args) {
    Command {
        args = List.copyOf(args);
    }

    /** All that is wrong with a block. */
    static List<String> faults(Map<String, Object> config) {
        List<String> faults = new ArrayList<>();
        Object command = config.get("command");
        if (command == null) {
            faults.add("config needs a command, such as command = \"/bin/sleep\"");
        } else if (!(command instanceof String text) || text.isBlank()) {
            faults.add("command must be a string that is not empty, it is: " + command);
        }
        Object args = config.getOrDefault("args", List.of());
        if (!(args instanceof List<?> list) || !list.stream().allMatch(arg -> arg instanceof String)) {
            faults.add("args must be a list of strings, it is: " + args);
        }
        ConfigTexts.check(config, faults);
        for (String key : new TreeSet<>(config.keySet())) {
            if (!key.equals("command") && !key.equals("args")) {
                faults.add("config has the key '" + key + "'; raw_exec knows command and args");
            }
        }
        return faults;
    }

    /** Reads a block without faults. */
    static Command of(Map<String, Object> config) {
        List<String> args = new ArrayList<>();
        if (config.get("args") instanceof List<?> list) {
            list.forEach(arg -> args.add(String.valueOf(arg)));
        }
        return new Command(String.valueOf(config.get("command")), args);
    }

    /** The program, if it needs no search: an absolute path as it is. */
    Optional<Path> absolute() {
        return command.startsWith("/") ? TextPath.of(command) : Optional.empty();
    }

    /**
     * Where else the program may be: what the task directory has in {@code local} or at its top; then, for a bare name,
     * that name in each directory of {@code path}.
     */
    List<String> places(Path taskDir, String path) {
        if (command.startsWith("/")) {
            return List.of();
        }
        List<String> places = new ArrayList<>();
        places.add(taskDir + "/local/" + command);
        places.add(taskDir + "/" + command);
        if (!command.contains("/")) {
            for (String directory : path.split(":", -1)) {
                if (directory.startsWith("/")) {
                    places.add(directory + "/" + command);
                }
            }
        }
        return places;
    }
}
