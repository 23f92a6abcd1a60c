package io.cleat.launch;

import io.cleat.api.Json;
import io.cleat.api.SnapshotMeta;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import io.cleat.clusterapi.operator.SavedFile;
import io.cleat.server.RestoredLog;
import io.cleat.state.ClusterState;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Looks at a snapshot of a cluster, or gives it to a server that does not run.
 *
 * @param program {@link #INSPECT} or {@link #RESTORE}
 */
record SnapshotRole(Program program, List<String> args) implements Role {
    private static final String FILE = "FILE";
    static final Program INSPECT = new Program(
            "operator snapshot inspect",
            "Show what a snapshot of a cluster holds",
            """
                    Reads the snapshot FILE to its end, as a restore does, and says of which moment \
                    of which cluster it is, and how much is in it. Asks no agent.

                    Exit code: 0 if it is whole; 1 if it is not.""",
            List.of(Flag.yes("json", "Print it as JSON.")),
            List.of("cleat operator snapshot inspect cleat.snap"));

    static final Program RESTORE = new Program(
            "operator snapshot restore",
            "Let a server that does not run begin with a snapshot",
            """
                    Makes a log that holds what the snapshot FILE holds, in a data directory whose \
                    agent does not run. The log that is there is kept beside it, under a name that \
                    is printed.

                    What was decided since the snapshot is not known any more. Nodes that have acted \
                    on it put the cluster into recovery when they come: it grants and releases \
                    nothing until they have said what they hold ("cleat operator recovery"). On \
                    another machine, first put the file secrets.key of the server that made the \
                    snapshot into the directory "server" of the data directory: what is secret is in \
                    the snapshot only as that key encrypts it.""",
            List.of(OfflineProgram.DATA),
            List.of("cleat operator snapshot restore -data-dir=/var/lib/cleat cleat.snap"));

    /** The role that a command line asks for, if it is one of these. */
    static Optional<SnapshotRole> of(List<String> args) {
        return OfflineProgram.named(args, List.of(INSPECT, RESTORE), SnapshotRole::new);
    }

    @Override
    public int play() {
        return play(System.out, System.err);
    }

    int play(PrintStream out, PrintStream err) {
        return OfflineProgram.play(program, out, err, () -> run(out));
    }

    private int run(PrintStream out) throws Failure, Trouble, InterruptedException {
        Flags flags = program.read(args, FILE);
        if (flags.isHelpWanted()) {
            out.print(program.help());
            return 0;
        }
        Logging.begin();
        Path file = Path.of(flags.rest().getFirst());
        return program.equals(RESTORE)
                ? restore(file, OfflineProgram.data(flags), out)
                : inspect(file, flags.has("json"), out);
    }

    private static int inspect(Path file, boolean isJson, PrintStream out) throws Trouble {
        SavedFile read = SavedFile.read(file);
        SnapshotMeta meta = read.meta();
        if (isJson) {
            out.println(Json.text(meta));
            return 0;
        }
        ClusterState state = read.saved().applied().image();
        out.println("ID             " + VisibleText.line(meta.ID()));
        out.println("Cluster        " + VisibleText.line(meta.ClusterID()));
        out.println("Version        " + meta.Index());
        out.println("Decided        " + meta.DecidedAt());
        out.println("Feature level  " + meta.FeatureLevel());
        out.println("Size           " + meta.Size() + " bytes");
        out.println();
        out.println("Nodes          " + state.nodes().size());
        out.println("Plugins        " + state.plugins().size());
        out.println("Volumes        " + state.volumes().size());
        out.println("Claims         " + state.claims().all().size());
        out.println("Jobs           " + state.jobs().size());
        out.println("Allocations    " + state.allocations().size());
        return 0;
    }

    private static int restore(Path file, Path data, PrintStream out) throws Trouble, InterruptedException {
        SavedFile read = SavedFile.read(file);
        Path server = data.resolve("server");
        // What goes wrong on another thread of the log ends a restore, which then has done nothing.
        Threads threads = Threads.platform((thread, fault) -> {
            fault.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        Optional<Path> before = new RestoredLog(server, new SystemTime(), threads, Ids.random()).of(read.saved());
        out.println("The server in "
                + server
                + " begins with version "
                + read.meta().Index()
                + " of cluster "
                + VisibleText.line(read.meta().ClusterID())
                + ", decided "
                + read.meta().DecidedAt()
                + ".");
        before.ifPresent(path -> out.println("The log that was there is " + path + "."));
        if (Files.notExists(server.resolve("secrets.key"))) {
            out.println("Put the secrets.key of the server that made the snapshot beside it, with mode"
                    + " 0600: without it secrets have to be given again.");
        }
        out.println("Start its agent; then: cleat operator recovery");
        return 0;
    }
}
