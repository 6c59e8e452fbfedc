import Identifiers
import Releases

extension AdminLinks {
    /// The path of a build's complete log, as a file.
    func buildLog(_ number: Int, of name: Slug) -> String { "\(build(number, of: name))/log" }
}
