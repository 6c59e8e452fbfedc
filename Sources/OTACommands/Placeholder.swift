import ArgumentParser
import OTAServer
import Phone
