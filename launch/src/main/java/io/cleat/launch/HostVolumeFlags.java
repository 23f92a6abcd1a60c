package io.cleat.launch;

import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.model.HostVolume;
import io.cleat.model.NameRule;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which directories of its machine a node lets jobs use as volumes. */
final class HostVolumeFlags {
    private static final String NAME = "host-volume";
    private static final String PLUGINS = "host-volume-plugin-dir";
    private static final String READ_ONLY = ":ro";

    static final List<Flag> OWN = List.of(
            Flag.repeated(
                    NAME,
                    "name:path[:ro]",
                    "A directory of this machine that jobs may use as a volume of type host, with :ro for reading "
                            + "only."),
            Flag.value(
                    PLUGINS,
                    "path",
                    "A directory of programs that make host volumes (default: none). It and"
                            + " they have to be root's, and writable by nobody else."));

    private HostVolumeFlags() {}

    /** By name. Whether the directories are there is looked at when the node starts. */
    static Map<String, HostVolume> read(Flags flags) throws Failure {
        Map<String, HostVolume> volumes = new TreeMap<>();
        for (String given : flags.values(NAME)) {
            boolean readOnly = given.endsWith(READ_ONLY);
            String rest = readOnly ? given.substring(0, given.length() - READ_ONLY.length()) : given;
            int colon = rest.indexOf(':');
            String name = colon < 0 ? "" : rest.substring(0, colon);
            String path = rest.substring(colon + 1);
            Optional<String> fault = colon < 1
                    ? Optional.of("has no name and path")
                    : NameRule.idFault("name of a host volume", name).or(() -> pathFault(path));
            if (fault.isPresent()) {
                throw new Failure(
                        "-" + NAME + "=" + given + ": " + fault.get(),
                        "expected NAME:PATH or NAME:PATH:ro, such as data:/srv/data");
            }
            if (volumes.put(name, new HostVolume("", path, readOnly)) != null) {
                throw new Failure(
                        "-" + NAME + " names two host volumes \"" + name + "\"", "give each a name of its own");
            }
        }
        return volumes;
    }

    /** Where the programs are that make host volumes. */
    static Optional<Path> plugins(Flags flags) throws Failure {
        Optional<String> given = flags.value(PLUGINS);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> fault = pathFault(given.get());
        if (fault.isPresent()) {
            throw new Failure(
                    "-" + PLUGINS + "=" + given.get() + ": " + fault.get(),
                    "expected a path such as /opt/cleat/host-volume-plugins");
        }
        return given.map(Path::of);
    }

    private static Optional<String> pathFault(String path) {
        boolean isPlain = path.startsWith("/")
                && path.length() > 1
                && path.equals(Path.of(path).normalize().toString());
        return isPlain ? Optional.empty() : Optional.of("the path \"" + path + "\" is not absolute and plain");
    }
}
