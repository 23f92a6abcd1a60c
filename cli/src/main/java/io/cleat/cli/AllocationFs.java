package io.cleat.cli;

import io.cleat.api.AllocationsClient;
import io.cleat.api.CleatClient;
import io.cleat.api.FileEntry;
import io.cleat.api.LogFrame;
import io.cleat.api.LogStream;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** {@code alloc fs}: the files of an allocation. */
final class AllocationFs {
    static final Verb VERB = Verb.named("alloc fs", "List and print the files of an allocation")
            .takes(1, 2, "<allocation> [path]")
            .about("Lists a directory, or prints a file, of an allocation, whose directory"
                    + " is /. What its tasks share is in /alloc; each task's own"
                    + " files are in /TASK/local. Secrets cannot be seen, and"
                    + " symbolic links are not followed.")
            .flags(
                    Flag.yes("stat", "What the path is, instead of what is in it."),
                    Flag.yes("f", "Go on as more is written, until interrupted."),
                    Excerpt.TAIL,
                    Excerpt.LINES,
                    Excerpt.BYTES,
                    Flag.RAW,
                    Flag.yes("H", "Sizes in bytes."),
                    AllocationChoice.JOB,
                    Flag.JSON,
                    Flag.TEMPLATE,
                    Flag.VERBOSE)
            .examples(
                    "cleat alloc fs 2849ded8",
                    "cleat alloc fs 2849ded8 alloc/logs",
                    "cleat alloc fs -stat 2849ded8 t/local/config",
                    "cleat alloc fs -tail -f -n 20 2849ded8 alloc/data/journal")
            .does(AllocationFs::run);

    private AllocationFs() {}

    private static int run(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        CleatClient client = call.client();
        AllocationsClient allocations = client.allocations();
        String id = AllocationChoice.id(call, client);
        String path = call.arguments().size() > 1 ? call.argument(1) : "/";
        FileEntry found = allocations.file(id, path, Params.none());
        if (call.flags().has("stat")) {
            if (!call.machine(found)) {
                call.out(table(call, List.of(found), true));
            }
            return 0;
        }
        if (found.IsDir()) {
            List<FileEntry> files = allocations.files(id, path, Params.none());
            if (!call.machine(files)) {
                call.out(table(call, files, false));
            }
            return 0;
        }
        return print(call, allocations, id, path);
    }

    private static int print(Call call, AllocationsClient allocations, String id, String path)
            throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        Excerpt excerpt = Excerpt.of(call);
        if (!excerpt.isEnd() && !excerpt.follow()) {
            try (InputStream in = allocations.cat(id, path)) {
                if (call.showsPerson()) {
                    show(in, excerpt.output(call));
                } else {
                    in.transferTo(call.bytes());
                }
            }
            call.bytes().flush();
            return 0;
        }
        LogOutput output = excerpt.output(call);
        try (LogStream stream = allocations.follow(id, path, excerpt.follow(), excerpt.offset(), excerpt.origin())) {
            for (Optional<LogFrame> next = stream.next(); next.isPresent(); next = stream.next()) {
                output.add(next.get(), excerpt.follow());
            }
        }
        output.end();
        return 0;
    }

    private static void show(InputStream in, LogOutput output) throws IOException {
        byte[] some = new byte[LogFrame.MOST_BYTES];
        for (int count = in.read(some); count >= 0; count = in.read(some)) {
            output.add(Arrays.copyOf(some, count));
        }
        output.end();
    }

    private static String table(Call call, List<FileEntry> files, boolean single) {
        Columns columns = single
                ? new Columns("Mode", "Size", "Modified Time", "Content Type", "Name")
                : new Columns("Mode", "Size", "Modified Time", "Name");
        for (FileEntry file : files) {
            String size = call.flags().has("H") ? Long.toString(file.Size()) : Human.bytes(file.Size());
            String time = Human.time(file.ModTime(), call.zone());
            String name = file.IsDir() && !file.Name().equals("/") ? file.Name() + "/" : file.Name();
            if (single) {
                columns.row(file.FileMode(), size, time, file.ContentType(), name);
            } else {
                columns.row(file.FileMode(), size, time, name);
            }
        }
        return columns.text();
    }
}
