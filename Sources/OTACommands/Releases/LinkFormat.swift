import ArgumentParser

/// How `ota releases link` prints a link.
enum LinkFormat: String, ExpressibleByArgument, CaseIterable {
    case markdown, json, url
}
