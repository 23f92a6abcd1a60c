package io.cleat.driver.docker;

import io.cleat.base.Secret;
import io.cleat.driver.BlockReader;
import io.cleat.driver.ConfigTexts;
import io.cleat.driver.TaskNetwork;
import io.cleat.driver.registry.ImageName;
import io.cleat.model.NetworkDns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a {@code docker} task's {@code config} block says.
 *
 * @param image null only in a block with faults
 * @param entrypoint empty for the image's own
 * @param command with its arguments; empty for the image's own
 * @param workDir in the container; empty for the image's own
 * @param network a mode of the engine: {@code bridge}, {@code host} or {@code none}; empty for the network of its group
 *     where that has one, else {@code bridge}
 * @param ports labels of those ports of the allocation that lead into the container
 * @param pluginVolumes whether it sees the volumes of its group's plugins, as these see them
 */
record DockerBlock(
        Optional<ImageName> image,
        List<String> entrypoint,
        List<String> command,
        String workDir,
        List<BlockMount> mounts,
        BlockRights rights,
        Map<String, String> labels,
        String network,
        List<String> ports,
        Names names,
        Shape shape,
        Pulling pulling,
        Optional<Logging> logging,
        boolean pluginVolumes) {
    private static final Duration PULL_TIMEOUT = Duration.ofMinutes(5);
    private static final Set<String> NETWORKS = Set.of("bridge", "host", "none");

    /** The mode of the network of its group, which it joins; empty where it has one of the engine's. */
    Optional<String> joined(TaskNetwork ofGroup) {
        return network.isEmpty() ? HeldNetworks.mode(ofGroup.labels()) : Optional.empty();
    }

    /** The network of its group, with names found as the task says, or else as its group does. */
    TaskNetwork named(TaskNetwork ofGroup) {
        NetworkDns dns = ofGroup.dns();
        return new TaskNetwork(
                ofGroup.namespace(),
                ofGroup.labels(),
                ofGroup.hostname(),
                ofGroup.addresses(),
                new NetworkDns(
                        names.servers().isEmpty() ? dns.servers() : names.servers(),
                        names.search().isEmpty() ? dns.searches() : names.search(),
                        names.options().isEmpty() ? dns.options() : names.options()));
    }

    /** How names are found in the container, and what its own is. */
    record Names(
            String host, List<String> servers, List<String> search, List<String> options, List<String> extraHosts) {}

    /**
     * How the container is made.
     *
     * @param init whether the engine's own first process reaps orphans and hands on signals; empty as the engine is set
     * @param shmBytes how large {@code /dev/shm} is; 0 for the engine's own
     * @param pids the most processes; 0 for the node's own limit
     */
    record Shape(Optional<Boolean> init, long shmBytes, boolean readOnlyRoot, long pids) {}

    /**
     * How the image is pulled.
     *
     * @param isSoft whether it is tried without credentials if none can be had
     * @param force whether it is pulled though the engine has it
     */
    record Pulling(Optional<Auth> auth, boolean isSoft, boolean force, Duration timeout) {}

    /** For a registry. */
    record Auth(String user, Secret password, String server) {}

    /** Where the engine keeps output. */
    record Logging(String type, Map<String, String> options) {}

    /**
     * A block, as far as it can be read.
     *
     * @param faults all that is wrong with it; empty if nothing is
     */
    record Reading(DockerBlock block, List<String> faults) {}

    static Reading read(Map<String, Object> config, DockerSettings settings) {
        List<String> faults = new ArrayList<>();
        BlockReader reader = new BlockReader("config", config, faults);
        Optional<ImageName> image = image(reader);
        List<String> command = command(reader);
        String network = reader.text("network_mode");
        if (!network.isEmpty() && !NETWORKS.contains(network)) {
            faults.add("network_mode must be bridge, host or none, it is: "
                    + network
                    + "; networks of the engine's own and of other containers are not supported");
        }
        List<String> ports = reader.texts("ports");
        if (network.equals("none") && !ports.isEmpty()) {
            faults.add("ports has "
                    + String.join(", ", ports)
                    + ", and a container with network_mode = \"none\" can be reached by nobody; take one of them out");
        }
        reader.refuse("port_map", "write the ports in the group's network block, with to, and their labels in ports");
        reader.refuse("tty", "a task's output is kept in files; alloc exec -t has a terminal");
        reader.refuse("load", "images come from a registry, or are the engine's already");
        DockerBlock block = new DockerBlock(
                image,
                reader.texts("entrypoint"),
                command,
                workDir(reader),
                BlockMount.read(reader, settings.allowed()),
                BlockRights.read(reader, settings.allowed()),
                labels(reader),
                network,
                ports,
                new Names(
                        reader.text("hostname"),
                        reader.texts("dns_servers"),
                        reader.texts("dns_search_domains"),
                        reader.texts("dns_options"),
                        reader.texts("extra_hosts")),
                new Shape(
                        reader.choice("init"),
                        reader.number("shm_size", 0),
                        reader.flag("readonly_rootfs"),
                        reader.number("pids_limit", 0)),
                new Pulling(
                        auth(reader),
                        reader.flag("auth_soft_fail"),
                        reader.flag("force_pull"),
                        reader.duration("image_pull_timeout", PULL_TIMEOUT)),
                logging(reader),
                reader.flag("plugin_volumes"));
        ConfigTexts.check(config, faults);
        reader.end();
        return new Reading(block, faults);
    }

    private static Optional<ImageName> image(BlockReader reader) {
        String text = reader.text("image");
        Optional<ImageName> image = ImageName.of(text);
        if (image.isEmpty()) {
            reader.fault(
                    text.isEmpty()
                            ? "config needs an image, such as image = \"redis:7\""
                            : "image must be such as redis:7, registry.example/team/app:1.2 or app@sha256:..., it is: "
                                    + text);
        }
        return image;
    }

    private static List<String> command(BlockReader reader) {
        List<String> command = new ArrayList<>();
        String program = reader.text("command");
        if (!program.isEmpty()) {
            command.add(program);
        }
        command.addAll(reader.texts("args"));
        return command;
    }

    private static String workDir(BlockReader reader) {
        String directory = reader.text("work_dir");
        if (!directory.isEmpty() && !directory.startsWith("/")) {
            reader.fault("work_dir must be an absolute path in the container, it is: " + directory);
        }
        return directory;
    }

    private static Map<String, String> labels(BlockReader reader) {
        Map<String, String> labels = reader.pairs("labels");
        for (String name : labels.keySet()) {
            if (name.startsWith(Labels.PREFIX)) {
                reader.fault("labels has " + name + "; those of " + Labels.PREFIX + "* are ours");
            }
        }
        return labels;
    }

    private static Optional<Auth> auth(BlockReader reader) {
        Optional<BlockReader> block = reader.block("auth");
        if (block.isEmpty()) {
            return Optional.empty();
        }
        BlockReader auth = block.get();
        String user = auth.text("username");
        String password = auth.text("password");
        auth.text("email");
        String server = auth.text("server_address");
        auth.end();
        if (user.isEmpty() || password.isEmpty()) {
            reader.fault("auth needs username and password");
        }
        return Optional.of(new Auth(user, new Secret(password), server));
    }

    private static Optional<Logging> logging(BlockReader reader) {
        Optional<BlockReader> block = reader.block("logging");
        if (block.isEmpty()) {
            return Optional.empty();
        }
        BlockReader logging = block.get();
        String type = logging.text("type");
        String driver = logging.text("driver");
        Map<String, String> options = logging.pairs("config");
        logging.end();
        return Optional.of(new Logging(type.isEmpty() ? driver : type, options));
    }
}
