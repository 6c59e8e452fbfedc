/// The document of how people sign in: the settings, or nothing where it was removed again.
package struct SignInRegister: Codable, Equatable, Sendable {
    package var schema = 1
    package var settings: SignInSettings?

    package init() {}
}
