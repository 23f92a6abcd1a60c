package io.cleat.artifact;

import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/** Keeps the settings of git away that are the machine's or its users'. */
final class NoSettings extends SystemReader.Delegate {
    private NoSettings(SystemReader real) {
        super(real);
    }

    /** For the whole process, as the library has it; again does nothing. */
    static void install() {
        if (!(SystemReader.getInstance() instanceof NoSettings)) {
            SystemReader.setInstance(new NoSettings(SystemReader.getInstance()));
        }
    }

    @Override
    public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
        return new Empty(parent);
    }

    @Override
    public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
        return new Empty(parent);
    }

    @Override
    public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
        return new Empty(parent);
    }

    @Override
    public StoredConfig getUserConfig() {
        return new Empty(null);
    }

    @Override
    public StoredConfig getSystemConfig() {
        return new Empty(null);
    }

    @Override
    public StoredConfig getJGitConfig() {
        return new Empty(null);
    }

    /** Of the environment, JGit would take programs to run. */
    @Override
    public @Nullable String getenv(String variable) {
        return variable.startsWith("GIT_") ? null : super.getenv(variable);
    }

    private static final class Empty extends FileBasedConfig {
        Empty(@Nullable Config parent) {
            super(parent, null, FS.DETECTED);
        }

        @Override
        public void load() {}

        @Override
        public void save() {}

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
