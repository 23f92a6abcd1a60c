# Prints what is in a git repository and in an archive, both fetched before the task starts.

variable "driver" {
  type    = string
  default = "raw_exec"
}

variable "repository" {
  type    = string
  default = "https://github.com/octocat/Hello-World.git"
}

variable "archive" {
  type    = string
  default = "https://github.com/octocat/Hello-World/archive/refs/heads/master.tar.gz"
}

job "artifact" {
  type = "batch"

  group "artifact" {
    task "print" {
      driver = var.driver

      artifact {
        source      = "git::${var.repository}"
        destination = "local/repository"
        options {
          ref = "master"
        }
      }

      artifact {
        source      = var.archive
        destination = "local/archive"
      }

      config {
        command = "/bin/sh"
        args    = ["-c", "ls -R $NOMAD_TASK_DIR"]
      }

      resources {
        cpu    = 50
        memory = 32
      }
    }
  }
}
