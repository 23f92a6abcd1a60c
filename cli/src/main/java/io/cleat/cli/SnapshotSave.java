package io.cleat.cli;

import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Set;

/** Keeps what the cluster knows in a file. */
final class SnapshotSave {
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'cleat-'yyyyMMdd'T'HHmmss'Z.snap'").withZone(ZoneOffset.UTC);

    static final Verb VERB = Verb.named("operator snapshot save", "Save what the cluster knows to a file")
            .takes(0, 1, "[file]")
            .about("Writes a snapshot of jobs, volumes, claims, nodes and all else that the"
                    + " cluster knows, with which another server can begin: \"cleat"
                    + " operator snapshot restore\". The data of the volumes is not in"
                    + " it. What is secret is in it as it is stored, encrypted: keep the"
                    + " file secrets.key of the server's data directory too, and in"
                    + " another place.")
            .examples("cleat operator snapshot save", "cleat operator snapshot save /backup/cleat.snap")
            .does(SnapshotSave::save);

    private SnapshotSave() {}

    private static int save(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        String name = call.argument().orElseGet(() -> NAME.format(call.now()));
        Path file = call.environment().directory().resolve(name);
        if (Files.exists(file)) {
            throw new Failure(
                    "there is a file " + name + " already", "another name: cleat operator snapshot save FILE");
        }
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        try (FileChannel channel = FileChannel.open(
                        unfinished,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                OutputStream to = new BufferedOutputStream(Channels.newOutputStream(channel))) {
            call.client().agent().saveSnapshot(to);
            to.flush();
            channel.force(true);
        } catch (UnexpectedAnswer | LinkTrouble | IOException failed) {
            Files.deleteIfExists(unfinished);
            throw failed;
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        call.out("State file written to " + name + " (" + Files.size(file) + " bytes)");
        return 0;
    }
}
