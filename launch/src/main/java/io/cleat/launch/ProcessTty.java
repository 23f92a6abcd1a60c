package io.cleat.launch;

import io.cleat.base.KernelTrouble;
import io.cleat.cli.Terminal;
import io.cleat.kernel.TerminalDevice;
import java.io.IOException;

/** The terminal that this process's standard input is. */
final class ProcessTty implements Terminal.Tty {
    private final TerminalDevice device = new TerminalDevice();

    @Override
    public Size size() throws IOException {
        try {
            TerminalDevice.Size size = device.size();
            return new Size(size.rows(), size.columns());
        } catch (KernelTrouble none) {
            throw new IOException(none.reason(), none);
        }
    }

    @Override
    public Raw raw() throws IOException {
        try {
            TerminalDevice.Settings before = device.makeRaw();
            Thread atExit = new Thread(() -> restoreAtExit(before), "terminal/restore");
            // Whatever ends this process, its terminal is to be of use to the next one.
            Runtime.getRuntime().addShutdownHook(atExit);
            return () -> restore(before);
        } catch (KernelTrouble failed) {
            throw new IOException(failed.reason(), failed);
        }
    }

    private void restore(TerminalDevice.Settings before) throws IOException {
        try {
            device.restore(before);
        } catch (KernelTrouble failed) {
            throw new IOException(failed.reason(), failed);
        }
    }

    private void restoreAtExit(TerminalDevice.Settings before) {
        try {
            device.restore(before);
        } catch (KernelTrouble gone) {
            // A terminal that is gone needs nothing.
            return;
        }
    }
}
