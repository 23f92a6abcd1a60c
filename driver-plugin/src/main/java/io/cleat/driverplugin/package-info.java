/**
 * Task drivers that live in programs of their own and speak the protocol of go-plugin.
 *
 * <p>Receives: which programs there are, with their settings, and what the node asks of any
 * {@link io.cleat.driver.TaskDriver}. Hands on: calls to the program, and its answers. Such a program is started
 * outside the agent and goes on without it: an agent that comes finds it by a file. Runs on: the caller's thread; one
 * thread a program keeps it running and hears of its health, one takes what it prints. If it fails: whoever called gets
 * {@link io.cleat.driverplugin.PluginShutDown}; it is started again, and its tasks are handed to the new one when they
 * are next asked for.
 */
@NullMarked
package io.cleat.driverplugin;

import org.jspecify.annotations.NullMarked;
