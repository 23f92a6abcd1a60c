@NullMarked
package io.cleat.agent.alloc;

import org.jspecify.annotations.NullMarked;
