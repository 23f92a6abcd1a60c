package io.cleat.base;

/** Runs the body of a thread, and sees to it that its fault ends what it has to end, no less. */
record GuardedBody(Threads.Kind kind, String name, Threads.Body body, FaultHandler faults) implements Runnable {
    @Override
    public void run() {
        try {
            body.run();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return;
        } catch (Throwable fault) {
            heard(fault);
            return;
        }
        if (kind instanceof Threads.Kind.Vital(var mayEnd)
                && !Thread.currentThread().isInterrupted()
                && !mayEnd.getAsBoolean()) {
            faults.fault(name, new InvariantBroken("a vital thread goes on until it is told to end", name));
        }
    }

    private void heard(Throwable fault) {
        switch (kind) {
            case Threads.Kind.Vital _ -> faults.fault(name, fault);
            case Threads.Kind.Contained(var onFault) -> {
                if (FaultHandler.isContainable(fault)) {
                    faults.contained(name, fault);
                    contain(onFault, fault);
                } else {
                    faults.fault(name, fault);
                }
            }
        }
    }

    /** What was to end may live on half dead. */
    private void contain(Threads.OnFault onFault, Throwable fault) {
        try {
            onFault.ends(fault);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error worse) {
            worse.addSuppressed(fault);
            faults.fault(name, worse);
        }
    }
}
