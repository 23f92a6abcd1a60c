package io.cleat.agent.template;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The files of a directory that nobody else changes meanwhile. */
public final class PlainFiles implements TaskFiles {
    /** What was written, in order. */
    public final List<Path> written = new CopyOnWriteArrayList<>();

    @Override
    public Optional<FileLook> look(Place file) throws KernelTrouble {
        try {
            if (!Files.exists(file.path())) {
                return Optional.empty();
            }
            PosixFileAttributes found = Files.readAttributes(file.path(), PosixFileAttributes.class);
            return Optional.of(new FileLook(
                    file.path().getFileName().toString(),
                    PathStat.Type.FILE,
                    0644,
                    found.size(),
                    found.lastModifiedTime().toInstant(),
                    ((Number) Files.getAttribute(file.path(), "unix:ino")).longValue()));
        } catch (IOException e) {
            throw failed(file, e);
        }
    }

    @Override
    public String read(Place file) throws KernelTrouble {
        try {
            return Files.readString(file.path());
        } catch (IOException e) {
            throw failed(file, e);
        }
    }

    @Override
    public void write(Place file, byte[] bytes, Owner owner) throws KernelTrouble {
        try {
            Files.createDirectories(file.path().getParent());
            Path fresh = Files.createTempFile(file.path().getParent(), ".", ".new");
            Files.write(fresh, bytes);
            Files.move(fresh, file.path(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            written.add(file.path());
        } catch (IOException e) {
            throw failed(file, e);
        }
    }

    private static KernelTrouble failed(Place file, IOException why) {
        return new KernelTrouble(file + ": " + why, Effect.NONE, Retry.NEVER, why);
    }
}
