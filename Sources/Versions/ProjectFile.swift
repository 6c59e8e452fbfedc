import Yams

/// An XcodeGen `project.yml`, as far as it says versions.
package struct ProjectFile {
    let root: Node?

    /// - Throws: `YamlError` for text that is no YAML.
    package init(yaml: String) throws {
        root = try Yams.compose(yaml: yaml)
    }
}
