package io.cleat.launch;

import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.driverplugin.PluginSettings;
import io.cleat.jobspec.DriverPluginFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.ProgramRule;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The flags of a node for task drivers that live in programs of their own. */
final class DriverPluginFlags {
    private static final String DIRECTORY = "driver-dir";
    private static final String CONFIG = "driver-config";

    /** Each is a process that is kept running. */
    private static final int MOST = 32;

    static final List<Flag> OWN = List.of(
            Flag.value(
                    DIRECTORY,
                    "directory",
                    "Each program in this directory that can be executed holds a task"
                            + " driver: a driver plugin, as they are published for Nomad."
                            + " It runs as the agent's user; see cleat driver try."),
            Flag.value(
                    CONFIG, "file", "Settings of those programs, in blocks plugin \"FILE\" { args = [] config {} }."));

    private DriverPluginFlags() {}

    /** The programs, by name of their files. */
    static List<PluginSettings> read(Flags flags) throws Failure {
        if (flags.value(DIRECTORY).isEmpty()) {
            if (flags.value(CONFIG).isPresent()) {
                throw new Failure(
                        "-" + CONFIG + " sets up programs of -" + DIRECTORY + ", which is not given",
                        "add -" + DIRECTORY + "=DIRECTORY, or leave it out");
            }
            return List.of();
        }
        Path directory = Path.of(flags.value(DIRECTORY).orElseThrow()).toAbsolutePath();
        Map<String, DriverPluginFile.Plugin> blocks = flags.value(CONFIG).isPresent()
                ? blocks(Path.of(flags.value(CONFIG).get()))
                : Map.of();
        List<PluginSettings> plugins = new ArrayList<>();
        Set<String> unused = new TreeSet<>(blocks.keySet());
        for (Path program : programs(directory)) {
            String name = program.getFileName().toString();
            unused.remove(name);
            plugins.add(settings(program, blocks.get(name)));
        }
        if (!unused.isEmpty()) {
            throw new Failure(
                    "-" + CONFIG + " sets up " + unused + ", and " + directory + " holds no such program",
                    "name a block plugin \"FILE\" as the file of the program is named");
        }
        if (plugins.size() > MOST) {
            throw new Failure(
                    directory + " holds " + plugins.size() + " programs; at most " + MOST + " are run",
                    "leave there only those that hold a task driver");
        }
        return plugins;
    }

    /** The settings of one program. */
    static PluginSettings settings(Path program, DriverPluginFile.@Nullable Plugin block) {
        return block == null
                ? PluginSettings.of(program)
                : new PluginSettings(
                        program.getFileName().toString(),
                        program,
                        Objects.requireNonNullElse(block.Args(), List.of()),
                        Objects.requireNonNullElse(block.Config(), Map.of()));
    }

    /** The blocks of a file, by the names of programs. */
    static Map<String, DriverPluginFile.Plugin> blocks(Path file) throws Failure {
        Map<String, DriverPluginFile.Plugin> blocks = new TreeMap<>();
        try {
            switch (DriverPluginFile.parse(Source.read(file), new RuntimeValues(new SystemTime(), Ids.random()))) {
                case Parsed.Good<DriverPluginFile.Plugins>(DriverPluginFile.Plugins plugins) ->
                    Objects.requireNonNullElse(plugins.Plugins(), List.<DriverPluginFile.Plugin>of())
                            .forEach(each -> blocks.put(each.Name(), each));
                case Parsed.Bad<DriverPluginFile.Plugins> bad ->
                    throw new Failure(
                            file + ": " + bad.lines(), "expected blocks plugin \"FILE\" { args = [] config {} }");
            }
        } catch (IOException failed) {
            throw new Failure("-" + CONFIG + ": " + file + " cannot be read: " + failed, "give a file that is there");
        }
        return blocks;
    }

    /** Those that may be run: {@link ProgramRule} holds for each. What cannot be run is no program. */
    private static List<Path> programs(Path directory) throws Failure {
        List<Path> programs = new ArrayList<>();
        ProgramRule rule = new ProgramRule(ownUser());
        for (Path path : ProgramRule.way(directory)) {
            refuse(path, rule.directoryFault(look(path), path.equals(directory)));
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Optional<ProgramRule.Look> there = look(file)
                        .filter(one -> one.type() != PathStat.Type.DIRECTORY)
                        .filter(one -> !one.isNoProgram());
                if (there.isPresent()) {
                    refuse(file, rule.programFault(there.get()));
                    programs.add(file);
                }
            }
        } catch (IOException | DirectoryIteratorException failed) {
            throw unseen(directory, failed);
        }
        programs.sort(null);
        return programs;
    }

    private static void refuse(Path path, Optional<String> fault) throws Failure {
        if (fault.isPresent()) {
            throw new Failure(
                    "-" + DIRECTORY + ": " + path + " " + fault.get(),
                    "its programs run as the agent's user: nobody else may write there, or on the way there");
        }
    }

    private static Failure unseen(Path path, Exception failed) {
        return new Failure(
                "-" + DIRECTORY + ": " + path + " cannot be looked at: " + failed, "give a directory that is there");
    }

    private static long ownUser() throws Failure {
        return look(Path.of("/proc/self/fd")).map(ProgramRule.Look::user).orElseThrow();
    }

    private static Optional<ProgramRule.Look> look(Path path) throws Failure {
        try {
            return ProgramRule.Look.at(path);
        } catch (IOException failed) {
            throw unseen(path, failed);
        }
    }
}
