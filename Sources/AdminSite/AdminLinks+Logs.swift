import Identifiers
import Releases

extension AdminLinks {
    /// The whole log of a build, as a file.
    func buildLog(_ number: Int, of name: Slug) -> String { "\(build(number, of: name))/log" }
}
