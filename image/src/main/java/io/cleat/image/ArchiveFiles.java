package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files in a tar archive, found by reading its headers once. Links among them are followed: older archives of
 * {@code docker save} name a layer that two images share by one.
 */
final class ArchiveFiles implements ImageFiles {
    private static final int MOST_FILES = 10_000;
    private static final int MOST_HOPS = 10;
    private static final int GZIP = 0x1f;

    private final Map<String, Blob> files = new HashMap<>();
    private final Map<String, String> links = new HashMap<>();

    private ArchiveFiles() {}

    static ArchiveFiles of(Blob archive, UnpackMeter meter) throws IOException, ArtifactTrouble {
        ArchiveFiles all = new ArchiveFiles();
        byte[] first = new byte[1];
        if (archive.size() > 0 && archive.read(0, first, 0, 1) == 1 && first[0] == GZIP) {
            throw UnpackMeter.refused("it is compressed as a whole: give it unpacked (gunzip)");
        }
        TarReader tar = new TarReader(archive.stream());
        int count = 0;
        for (Optional<TarEntry> next = tar.next(); next.isPresent(); next = tar.next()) {
            meter.requireTime();
            if (++count > MOST_FILES) {
                throw UnpackMeter.refused("it has more than " + MOST_FILES + " files, as no archive of an image has");
            }
            all.add(next.get(), tar.position(), archive);
        }
        return all;
    }

    private void add(TarEntry entry, long position, Blob archive) throws ArtifactTrouble {
        String name = plain(entry.name());
        switch (entry.kind()) {
            case FILE -> {
                if (position + entry.size() > archive.size()) {
                    throw UnpackMeter.refused("it is cut short within " + TarReader.shown(entry.name()));
                }
                files.put(name, archive.part(position, entry.size()));
            }
            case LINK -> {
                int slash = name.lastIndexOf('/');
                String from = slash < 0 ? "" : name.substring(0, slash);
                links.put(name, resolved(from, entry.link()));
            }
            case HARD_LINK -> links.put(name, plain(entry.link()));
            default -> {
                // Of no use to an image.
            }
        }
    }

    /** A target of a link, seen from the archive; one that leads out is found nowhere. */
    private static String resolved(String from, String target) {
        String path = from;
        for (String part : target.split("/", -1)) {
            if (part.equals("..")) {
                int slash = path.lastIndexOf('/');
                path = slash < 0 ? "" : path.substring(0, slash);
            } else if (!part.isEmpty() && !part.equals(".")) {
                path = path.isEmpty() ? part : path + "/" + part;
            }
        }
        return path;
    }

    private static String plain(String name) {
        return resolved("", name.replace("../", ""));
    }

    @Override
    public Optional<Blob> find(String name) {
        String at = plain(name);
        for (int hops = 0; hops < MOST_HOPS; hops++) {
            Blob file = files.get(at);
            if (file != null) {
                return Optional.of(file);
            }
            String next = links.get(at);
            if (next == null) {
                return Optional.empty();
            }
            at = next;
        }
        return Optional.empty();
    }
}
