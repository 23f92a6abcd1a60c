package io.cleat.sim;

import io.cleat.agent.template.TaskFiles;
import io.cleat.base.InvariantBroken;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.Place;
import java.util.Optional;

/** Simulated tasks have no templates, and so no files that anybody asks for. */
final class NoFiles implements TaskFiles {
    @Override
    public Optional<FileLook> look(Place file) {
        throw never(file);
    }

    @Override
    public String read(Place file) {
        throw never(file);
    }

    @Override
    public void write(Place file, byte[] bytes, Owner owner) {
        throw never(file);
    }

    private static InvariantBroken never(Place file) {
        return new InvariantBroken("simulated tasks have no templates", file);
    }
}
