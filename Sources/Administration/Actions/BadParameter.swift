/// A parameter of a query that names nothing in the store.
package struct BadParameter: Error, Equatable {
    package let name: String
    /// What to send instead.
    package let fix: String

    package init(_ name: String, fix: String) {
        self.name = name
        self.fix = fix
    }
}
