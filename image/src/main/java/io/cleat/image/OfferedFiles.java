package io.cleat.image;

import io.cleat.kernel.LocalFiles;
import io.cleat.kernel.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of one image, read by the agent for the process that unpacks it, which sees nothing of the machine. No link
 * is followed and nothing that could hang is opened; what is in the files nobody looks at here. One thread.
 */
final class OfferedFiles implements AutoCloseable {
    private static final int MOST_OPEN = 1000;

    private final Place place;
    private final List<FileChannel> open = new ArrayList<>();

    /** @param place of an archive; or of a directory, whose files are meant */
    OfferedFiles(Place place) {
        this.place = place;
    }

    /**
     * Opens a file, whose number is how many were opened before.
     *
     * @param name empty for the place itself
     * @return its size; -1 if it is not there
     */
    long open(String name) throws IOException {
        if (open.size() >= MOST_OPEN) {
            throw new IOException("more than " + MOST_OPEN + " files of it were wanted");
        }
        Place file;
        try {
            file = name.isEmpty() ? place : new Place(place.root(), below(name));
        } catch (IllegalArgumentException noPlainName) {
            return -1;
        }
        try {
            FileChannel channel = LocalFiles.open(file);
            open.add(channel);
            return channel.size();
        } catch (NoSuchFileException absent) {
            return -1;
        }
    }

    private String below(String name) {
        return place.below().isEmpty() ? name : place.below() + "/" + name;
    }

    /**
     * Reads some bytes.
     *
     * @return how many; -1 at the end
     */
    int read(int number, long at, ByteBuffer into) throws IOException {
        if (number < 0 || number >= open.size() || at < 0) {
            throw new IOException("no file " + number + " was opened");
        }
        return open.get(number).read(into, at);
    }

    @Override
    public void close() {
        for (FileChannel each : open) {
            try {
                each.close();
            } catch (IOException nothingWasWritten) {
                // Only read.
                continue;
            }
        }
    }
}
