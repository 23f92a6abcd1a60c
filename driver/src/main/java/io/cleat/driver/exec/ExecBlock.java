package io.cleat.driver.exec;

import io.cleat.base.Secret;
import io.cleat.driver.BlockReader;
import io.cleat.driver.ConfigTexts;
import io.cleat.driver.registry.RegistryLogin;
import io.cleat.kernel.TextPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an {@code exec} task's {@code config} block says.
 *
 * @param image its name at a registry, or a path; empty for the machine's programs
 * @param pulling how an image comes from a registry
 * @param entrypoint in the place of the image's; empty for that
 * @param command a path in the container, or a name to look for; empty for the image's
 * @param workDir empty for the image's, or {@code /}
 * @param added capabilities that {@code cap_add} names
 * @param dropped capabilities that {@code cap_drop} names
 * @param hostPaths what is seen in the container where it is on the host
 * @param pluginVolumes whether it sees the volumes of its group's plugins, as these see them
 */
record ExecBlock(
        String image,
        Pulling pulling,
        List<String> entrypoint,
        String command,
        List<String> args,
        String workDir,
        Set<String> added,
        Set<String> dropped,
        boolean hostPids,
        boolean hostIpc,
        List<Path> hostPaths,
        boolean pluginVolumes) {
    private static final String ALL = "all";
    private static final Set<String> KEYS = Set.of(
            "image",
            "auth",
            "force_pull",
            "image_pull_timeout",
            "entrypoint",
            "command",
            "args",
            "work_dir",
            "cap_add",
            "cap_drop",
            "pid_mode",
            "ipc_mode",
            "host_paths",
            "plugin_volumes");

    private static final List<String> OF_IMAGES = List.of("entrypoint", "auth", "force_pull", "image_pull_timeout");

    private static final Duration PULL_TIMEOUT = Duration.ofMinutes(5);

    /**
     * How an image comes from a registry.
     *
     * @param login what the job says for that; empty where the node's operator says it
     * @param force whether it is asked for though the image is here
     * @param within how long that may take
     */
    record Pulling(Optional<RegistryLogin> login, boolean force, Duration within) {
        static Pulling read(Map<String, Object> config, List<String> faults) {
            BlockReader reader = new BlockReader("config", config, faults);
            Optional<RegistryLogin> login = reader.block("auth").map(auth -> login(auth, faults));
            return new Pulling(login, reader.flag("force_pull"), reader.duration("image_pull_timeout", PULL_TIMEOUT));
        }

        private static RegistryLogin login(BlockReader auth, List<String> faults) {
            String user = auth.text("username");
            String password = auth.text("password");
            String server = auth.text("server_address");
            auth.end();
            if (user.isEmpty() || password.isEmpty()) {
                faults.add("auth needs username and password");
            }
            return new RegistryLogin(user, new Secret(password), server);
        }
    }

    /** The capabilities that the task may ever have. */
    Set<String> bound() {
        Set<String> bound = new HashSet<>(Capability.DEFAULTS);
        if (dropped.contains(ALL)) {
            bound.clear();
        }
        bound.removeAll(dropped);
        bound.addAll(added);
        return bound;
    }

    /** All that is wrong with a block. */
    static List<String> faults(Map<String, Object> config, ExecSettings settings) {
        List<String> faults = new ArrayList<>();
        imageFaults(config, settings, faults);
        Object command = config.get("command");
        if (command == null && config.containsKey("image")) {
            // The image says it.
        } else if (command == null) {
            faults.add("config needs a command, such as command = \"/bin/sleep\"");
        } else if (!(command instanceof String text) || text.isBlank()) {
            faults.add("command must be a string that is not empty, it is: " + command);
        }
        for (String key : List.of("entrypoint", "args", "cap_add", "cap_drop", "host_paths")) {
            Object value = config.getOrDefault(key, List.of());
            if (!(value instanceof List<?> list) || !list.stream().allMatch(each -> each instanceof String)) {
                faults.add(key + " must be a list of strings, it is: " + value);
            }
        }
        if (!path(config.getOrDefault("work_dir", "/"))) {
            faults.add("work_dir must be an absolute path in the container, it is: " + config.get("work_dir"));
        }
        capabilityFaults(config, settings, faults);
        for (String key : List.of("pid_mode", "ipc_mode")) {
            Object mode = config.getOrDefault(key, "private");
            if (mode.equals("host") && !settings.hostNamespaces()) {
                faults.add(key
                        + " = \"host\" is not let in by this node: its operator allows it with "
                        + "-exec-allow-host-namespaces");
            } else if (!mode.equals("host") && !mode.equals("private")) {
                faults.add(key + " must be \"private\" or \"host\", it is: " + mode);
            }
        }
        for (String path : strings(config, "host_paths")) {
            boolean allowed = path(path)
                    && TextPath.of(path)
                            .filter(each -> settings.hostPaths().stream().anyMatch(each::startsWith))
                            .isPresent();
            if (!allowed) {
                faults.add("host_paths has "
                        + path
                        + "; this node allows "
                        + (settings.hostPaths().isEmpty() ? "none" : settings.hostPaths())
                        + " (-exec-allow-path)");
            }
        }
        Object volumes = config.getOrDefault("plugin_volumes", false);
        if (!(volumes instanceof Boolean)) {
            faults.add("plugin_volumes must be true or false, it is: " + volumes);
        }
        ConfigTexts.check(config, faults);
        for (String key : new TreeSet<>(config.keySet())) {
            if (!KEYS.contains(key)) {
                faults.add("config has the key '" + key + "'; exec knows " + String.join(", ", new TreeSet<>(KEYS)));
            }
        }
        return faults;
    }

    private static void imageFaults(Map<String, Object> config, ExecSettings settings, List<String> faults) {
        Pulling.read(config, faults);
        Object image = config.get("image");
        if (image instanceof String text) {
            ImagePlace.fault(text, settings.imagePaths()).ifPresent(faults::add);
        } else if (image != null) {
            faults.add("image must be a string, it is: " + image);
        }
        for (String key : OF_IMAGES) {
            if (image == null && config.containsKey(key)) {
                faults.add(key + " is for a task with an image: give one, or leave it out");
            }
        }
    }

    private static boolean path(Object value) {
        return value instanceof String text
                && text.startsWith("/")
                && TextPath.of(text)
                        .filter(path -> path.normalize().equals(path))
                        .isPresent();
    }

    private static void capabilityFaults(Map<String, Object> config, ExecSettings settings, List<String> faults) {
        for (String name : names(config, "cap_add")) {
            if (!Capability.exists(name)) {
                faults.add("cap_add has '" + name + "', which is no capability of the kernel");
            } else if (!settings.capabilities().contains(name)) {
                faults.add("cap_add has '"
                        + name
                        + "'; this node allows "
                        + String.join(", ", new TreeSet<>(settings.capabilities()))
                        + " (-exec-allow-cap)");
            }
        }
        for (String name : names(config, "cap_drop")) {
            if (!name.equals(ALL) && !Capability.exists(name)) {
                faults.add("cap_drop has '" + name + "', which is no capability of the kernel");
            }
        }
    }

    /** Reads a block without faults. */
    static ExecBlock of(Map<String, Object> config) {
        return new ExecBlock(
                String.valueOf(config.getOrDefault("image", "")),
                Pulling.read(config, new ArrayList<>()),
                strings(config, "entrypoint"),
                String.valueOf(config.getOrDefault("command", "")),
                strings(config, "args"),
                String.valueOf(config.getOrDefault("work_dir", "")),
                names(config, "cap_add"),
                names(config, "cap_drop"),
                "host".equals(config.get("pid_mode")),
                "host".equals(config.get("ipc_mode")),
                strings(config, "host_paths").stream()
                        .flatMap(path -> TextPath.of(path).stream())
                        .toList(),
                Boolean.TRUE.equals(config.get("plugin_volumes")));
    }

    private static Set<String> names(Map<String, Object> config, String key) {
        Set<String> names = new TreeSet<>();
        strings(config, key).forEach(text -> names.add(Capability.named(text)));
        return names;
    }

    private static List<String> strings(Map<String, Object> config, String key) {
        return config.get(key) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }
}
