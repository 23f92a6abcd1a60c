package io.cleat.agent.template;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.FileReads;
import io.cleat.kernel.FileWrites;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The files of allocations, through path workers: what hangs on a volume delays few others. */
public final class WorkerFiles implements TaskFiles {
    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final int DIRECTORY = 0755;

    private final PathWorkers workers;
    private final Time time;

    public WorkerFiles(PathWorkers workers, Time time) {
        this.workers = workers;
        this.time = time;
    }

    @Override
    public Optional<FileLook> look(Place file) throws KernelTrouble, InterruptedException {
        return workers.reads(key(file)).look(file, soon());
    }

    @Override
    public String read(Place file) throws KernelTrouble, InterruptedException {
        FileReads reads = workers.reads(key(file));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            byte[] piece = reads.read(file, all.size(), FileReads.MOST, soon()).bytes();
            if (piece.length == 0) {
                return all.toString(StandardCharsets.UTF_8);
            }
            all.writeBytes(piece);
            if (all.size() > FileWrites.MOST) {
                throw new KernelTrouble(
                        file + " has more than " + FileWrites.MOST + " bytes", Effect.NONE, Retry.NEVER);
            }
        }
    }

    @Override
    public void write(Place file, byte[] bytes, Owner owner) throws KernelTrouble, InterruptedException {
        List<String> names = List.of(file.below().split("/", -1));
        Place directory = new Place(file.root(), "");
        for (String name : names.subList(0, names.size() - 1)) {
            directory = directory.child(name);
            workers.of(key(file)).makeDirectory(directory, DIRECTORY, soon());
        }
        workers.writes(key(file)).write(file, bytes, owner, soon());
    }

    /** Some allocations share workers, so that the idle ones are few. */
    private static String key(Place file) {
        Path name = file.root().getFileName();
        return "templates/" + (name == null ? "" : name.toString().charAt(0));
    }

    private Deadline soon() {
        return Deadline.in(time, WITHIN);
    }
}
