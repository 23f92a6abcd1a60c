package io.cleat.localplugin;

import io.cleat.base.FaultHandler;

/**
 * A fault of one call is printed and answered: the plugin's mounts do not depend on its memory. Where the whole process
 * is in doubt it ends; the agent starts it again.
 */
final class PluginFaults implements FaultHandler {
    private static final int FAULT = 70;

    @Override
    public void fault(String where, Throwable fault) {
        try {
            System.err.println("cleat-local-plugin: a fault in "
                    + where
                    + " ends this process with exit code "
                    + FAULT
                    + "; mounts go on, and the agent starts it again: "
                    + fault);
            fault.printStackTrace();
        } finally {
            Runtime.getRuntime().halt(FAULT);
        }
    }

    @Override
    public void contained(String where, Throwable fault) {
        System.err.println("fault in " + where + ": " + fault);
        fault.printStackTrace();
    }
}
