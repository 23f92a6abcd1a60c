@NullMarked
package io.cleat.agent.plugins;

import org.jspecify.annotations.NullMarked;
