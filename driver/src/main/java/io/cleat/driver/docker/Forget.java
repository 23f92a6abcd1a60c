package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;

/** Removes a container with all that belongs to it. */
@FunctionalInterface
interface Forget {
    void container(String name) throws DriverTrouble, InterruptedException;
}
