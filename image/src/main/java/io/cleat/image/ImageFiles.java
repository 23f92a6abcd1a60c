package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import java.io.IOException;
import java.util.Optional;

/** The files that an image is made of, by their names in its archive or directory. */
interface ImageFiles {
    /**
     * A file.
     *
     * @param name plain names with single slashes between them
     * @return empty if there is none of that name
     */
    Optional<Blob> find(String name) throws IOException, ArtifactTrouble;
}
