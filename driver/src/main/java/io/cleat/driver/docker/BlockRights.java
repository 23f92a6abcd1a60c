package io.cleat.driver.docker;

import io.cleat.driver.BlockReader;
import io.cleat.driver.docker.DockerSettings.Allowed;
import io.cleat.kernel.TextPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a task may do, as far as its {@code config} block says.
 *
 * @param capAdd names such as {@code net_admin}; may hold {@code all}
 * @param security as the engine takes them, such as {@code no-new-privileges}
 * @param namespaces {@code pid}, {@code ipc}, {@code uts}, {@code userns} that are the machine's
 */
record BlockRights(
        boolean privileged,
        Set<String> capAdd,
        Set<String> capDrop,
        List<Device> devices,
        List<String> security,
        Set<String> namespaces,
        Map<String, Ulimit> ulimits,
        Map<String, String> sysctls) {
    private static final String ALL = "all";
    private static final Pattern LIMIT = Pattern.compile("(\\d{1,18})(?::(\\d{1,18}))?");
    private static final Pattern DEVICE_RIGHTS = Pattern.compile("[rwm]{1,3}");

    /**
     * A device of the machine.
     *
     * @param rights of {@code rwm}
     */
    record Device(String host, String container, String rights) {}

    /** Limits of each process. */
    record Ulimit(long soft, long hard) {}

    static BlockRights read(BlockReader config, Allowed allowed) {
        boolean privileged = config.flag("privileged");
        if (privileged && !allowed.privileged()) {
            config.fault("privileged = true would make the task root of this machine, which its operator"
                    + " allows with -docker-allow-privileged");
        }
        return new BlockRights(
                privileged,
                added(config, allowed),
                names(config, "cap_drop"),
                devices(config, allowed),
                security(config, allowed),
                namespaces(config, allowed),
                ulimits(config),
                config.pairs("sysctl"));
    }

    private static Set<String> names(BlockReader config, String key) {
        Set<String> names = new TreeSet<>();
        for (String text : config.texts(key)) {
            names.add(
                    text.toLowerCase(Locale.ROOT).startsWith("cap_")
                            ? text.substring("cap_".length()).toLowerCase(Locale.ROOT)
                            : text.toLowerCase(Locale.ROOT));
        }
        return names;
    }

    private static Set<String> added(BlockReader config, Allowed allowed) {
        Set<String> names = names(config, "cap_add");
        for (String name : names) {
            boolean may = allowed.privileged()
                    || (!name.equals(ALL) && allowed.addable().contains(name));
            if (!may) {
                config.fault("cap_add has '"
                        + name
                        + "'; this node allows "
                        + String.join(", ", allowed.addable())
                        + " (-docker-allow-cap)");
            }
        }
        return names;
    }

    private static List<Device> devices(BlockReader config, Allowed allowed) {
        List<Device> devices = new ArrayList<>();
        for (BlockReader block : config.blocks("devices")) {
            String host = block.text("host_path");
            String inside = block.text("container_path");
            String rights = block.text("cgroup_permissions");
            block.end();
            Optional<Path> path = TextPath.of(host).filter(Path::isAbsolute).map(Path::normalize);
            boolean may = path.isPresent()
                    && (allowed.privileged() || allowed.devices().stream().anyMatch(path.get()::startsWith));
            if (!may) {
                config.fault("devices has the host_path \""
                        + host
                        + "\"; this node allows "
                        + (allowed.devices().isEmpty() ? "none" : allowed.devices())
                        + " (-docker-allow-device)");
            } else if (!rights.isEmpty() && !DEVICE_RIGHTS.matcher(rights).matches()) {
                config.fault("cgroup_permissions must be of r, w and m, it is: " + rights);
            } else {
                devices.add(new Device(
                        path.get().toString(),
                        inside.isEmpty() ? path.get().toString() : inside,
                        rights.isEmpty() ? "rwm" : rights));
            }
        }
        return devices;
    }

    private static List<String> security(BlockReader config, Allowed allowed) {
        List<String> options = config.texts("security_opt");
        for (String option : options) {
            boolean isHarmless = option.equals("no-new-privileges")
                    || option.equals("no-new-privileges:true")
                    || (option.matches("apparmor[=:][A-Za-z0-9_.-]+") && !option.endsWith("unconfined"));
            if (!isHarmless && !allowed.privileged()) {
                config.fault("security_opt has \""
                        + option
                        + "\"; expected no-new-privileges or apparmor=PROFILE. What may take"
                        + " away from what confines a task its node's operator allows with"
                        + " -docker-allow-privileged");
            }
        }
        return options;
    }

    private static Set<String> namespaces(BlockReader config, Allowed allowed) {
        Set<String> host = new TreeSet<>();
        for (String kind : List.of("pid", "ipc", "uts", "userns")) {
            String key = kind + "_mode";
            String mode = config.text(key);
            if (mode.equals("host") && !allowed.hostNamespaces()) {
                config.fault(key
                        + " = \"host\" is not let in by this node: its operator allows it with "
                        + "-docker-allow-host-namespaces");
            } else if (mode.equals("host")) {
                host.add(kind);
            } else if (!mode.isEmpty() && !mode.equals("private")) {
                config.fault(key + " must be \"private\" or \"host\", it is: " + mode);
            }
        }
        return host;
    }

    private static Map<String, Ulimit> ulimits(BlockReader config) {
        Map<String, Ulimit> limits = new TreeMap<>();
        config.pairs("ulimit").forEach((name, text) -> {
            Matcher form = LIMIT.matcher(text);
            if (!form.matches() || !name.matches("[a-z]{1,20}")) {
                config.fault("ulimit has "
                        + name
                        + " = \""
                        + text
                        + "\"; expected such as nofile = \"1024:4096\", soft before hard");
                return;
            }
            long soft = Long.parseLong(form.group(1));
            String hard = form.group(2);
            limits.put(name, new Ulimit(soft, hard == null ? soft : Long.parseLong(hard)));
        });
        return limits;
    }
}
